#include "serve/browser_guard.h"

#include <gtest/gtest.h>

namespace stint::serve {
namespace {

const BrowserGuard kLoopback(true, {"https://app.example.com"});
const BrowserGuard kPublic(false, {});

TEST(BrowserGuard, programs_on_this_machine_pass) {
  for (const char* host : {"localhost:4000", "127.0.0.1:4000", "[::1]:4000", "localhost"}) {
    EXPECT_TRUE(kLoopback.check({{"host", host}})) << host;
  }
}

TEST(BrowserGuard, a_name_made_to_resolve_to_loopback_is_refused) {
  for (const char* host : {"attacker.example:4000", "127.0.0.1.attacker.example", ""}) {
    const auto checked = kLoopback.check({{"host", host}});
    ASSERT_FALSE(checked) << host;
    EXPECT_EQ(checked.error().kind, ErrorKind::permission);
  }
  EXPECT_TRUE(kPublic.check({{"host", "stint.example.com"}}));
}

TEST(BrowserGuard, pages_enter_only_if_their_origin_is_listed) {
  EXPECT_TRUE(kLoopback.check({{"host", "localhost"}, {"origin", "https://app.example.com"}}));
  for (const char* origin : {"https://evil.example", "null", "https://app.example.com.evil.example"}) {
    EXPECT_FALSE(kLoopback.check({{"host", "localhost"}, {"origin", origin}})) << origin;
    EXPECT_FALSE(kPublic.check({{"host", "stint.example.com"}, {"origin", origin}})) << origin;
  }
}

TEST(BrowserGuard, a_listed_page_may_read_the_answer_and_nobody_else_gets_the_headers) {
  net::Headers response;
  kLoopback.add_cors_headers({{"origin", "https://app.example.com"}}, response);
  EXPECT_EQ(response.find("access-control-allow-origin"), "https://app.example.com");
  net::Headers silent;
  kLoopback.add_cors_headers({}, silent);
  EXPECT_TRUE(silent.empty());
}

TEST(BrowserGuard, preflights_are_answered_with_the_headers_asked_for) {
  net::HttpRequest request{.method = "OPTIONS",
                           .target = "/v1/messages",
                           .headers = {{"origin", "https://app.example.com"},
                                       {"access-control-request-method", "POST"},
                                       {"access-control-request-headers", "x-api-key"}},
                           .body = nullptr};
  const auto head = kLoopback.answer_preflight(request);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 204);
  EXPECT_EQ(head->headers.find("access-control-allow-headers"), "x-api-key");
  request.method = "POST";
  EXPECT_FALSE(kLoopback.answer_preflight(request));
}

}  // namespace
}  // namespace stint::serve
