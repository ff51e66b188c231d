#include "platform/net/http_message.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

TEST(Headers, keep_order_and_spelling_and_compare_without_case) {
  Headers headers{{"Content-Type", "a"}, {"X-One", "1"}, {"x-one", "2"}};
  EXPECT_EQ(headers.find("content-type"), "a");
  EXPECT_EQ(headers.find("X-ONE"), "1");
  EXPECT_EQ(headers.count("x-One"), 2u);
  EXPECT_EQ(headers.find("x-on"), std::nullopt);
  EXPECT_EQ(headers.name(0), "Content-Type");
  EXPECT_EQ(headers.value(2), "2");
}

TEST(Headers, set_replaces_all_and_remove_keeps_the_rest) {
  Headers headers{{"a", "1"}, {"b", "2"}, {"A", "3"}};
  headers.set("a", "4");
  EXPECT_EQ(headers.size(), 2u);
  EXPECT_EQ(headers.find("a"), "4");
  headers.remove("b");
  EXPECT_EQ(headers.size(), 1u);
  EXPECT_FALSE(headers.contains("b"));
}

TEST(Headers, has_token_looks_into_comma_lists_of_every_field) {
  const Headers headers{{"connection", "keep-alive, Close"}, {"connection", " upgrade"}, {"x", ""}};
  EXPECT_TRUE(headers.has_token("Connection", "close"));
  EXPECT_TRUE(headers.has_token("connection", "upgrade"));
  EXPECT_FALSE(headers.has_token("connection", "keep"));
  EXPECT_FALSE(headers.has_token("x", "close"));
}

TEST(HttpRequest, splits_its_target) {
  HttpRequest request;
  request.target = "/v1/messages?beta=true&x=?";
  EXPECT_EQ(request.path(), "/v1/messages");
  EXPECT_EQ(request.query(), "beta=true&x=?");
  request.target = "/v1";
  EXPECT_EQ(request.path(), "/v1");
  EXPECT_EQ(request.query(), "");
}

TEST(ReasonPhrase, knows_what_we_send) {
  EXPECT_EQ(reason_phrase(404), "Not Found");
  EXPECT_EQ(reason_phrase(529), "Site Overloaded");
  EXPECT_EQ(reason_phrase(599), "Unknown");
}

}  // namespace
}  // namespace stint::net
