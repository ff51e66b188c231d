#include "serve/api/own_fields.h"

#include <gtest/gtest.h>

#include "platform/json/edits.h"
#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

Result<chat::Request> decode(std::string_view fields, net::Headers headers = {}) {
  return dialect(chat::DialectId::openai)
      .decode(Endpoint::completions, http_request(fmt::format(R"({{"model":"m","prompt":"p",)"
                                                              R"("user":"body"{}}})",
                                                              fields),
                                                  std::move(headers)));
}

TEST(OwnFields, are_read_from_the_body_and_marked_for_removal) {
  const auto decoded = decode(R"(,"session_id":"s1","resume_from":17,"x":1,"cache":"refresh","cache_bypass":true,)"
                              R"("urgent":true,"quantization":"q4")");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->own.session_id, "s1");
  EXPECT_EQ(decoded->own.resume_from, 17U);
  EXPECT_EQ(decoded->own.cache, "refresh");
  EXPECT_TRUE(decoded->own.cache_bypass);
  EXPECT_TRUE(decoded->own.urgent);
  EXPECT_EQ(decoded->own.quantization, "q4");
  json::Edits edits;
  for (const chat::ByteSpan span : decoded->own_field_spans) edits.remove_member({span.begin, span.end});
  EXPECT_EQ(edits.apply(*decoded->body), R"({"model":"m","prompt":"p","user":"body","x":1})");
}

TEST(OwnFields, null_means_absent_but_is_removed_too) {
  const auto decoded = decode(R"(,"session_id":null)");
  ASSERT_TRUE(decoded);
  EXPECT_FALSE(decoded->own.session_id);
  EXPECT_EQ(decoded->own_field_spans.size(), 1U);
}

TEST(OwnFields, headers_win_over_the_body) {
  const auto decoded =
      decode(R"(,"session_id":"s1","resume_from":17,"cache":"off","urgent":true)", {{"X-Stint-Session", "s2"},
                                                                                    {"x-stint-resume-from", "18"},
                                                                                    {"x-stint-cache", "near"},
                                                                                    {"x-stint-priority", "batch"},
                                                                                    {"x-stint-user", "header"}});
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->own.session_id, "s2");
  EXPECT_EQ(decoded->own.resume_from, 18U);
  EXPECT_EQ(decoded->own.cache, "near");
  EXPECT_FALSE(decoded->own.urgent);
  EXPECT_EQ(decoded->end_user, "header");
}

TEST(OwnFields, bad_headers_are_named) {
  EXPECT_EQ(decode("", {{"x-stint-resume-from", "18x"}}).error().message,
            "x-stint-resume-from: must be the number of events received.");
  EXPECT_EQ(decode("", {{"x-stint-cache", "always"}}).error().message,
            "x-stint-cache: must be one of off, refresh, exact, near.");
  EXPECT_EQ(decode("", {{"x-stint-priority", "high"}}).error().message,
            "x-stint-priority: must be one of urgent, normal, batch.");
}

TEST(OwnFields, bad_body_fields_are_named) {
  EXPECT_EQ(decode(R"(,"resume_from":-1)").error().message, "resume_from: must be an integer of at least 0.");
  EXPECT_EQ(decode(R"(,"session_id":5)").error().message, "session_id: expected a string, got a number.");
  EXPECT_EQ(decode(R"(,"cache":"a","cache":"b")").error().message, "cache: this key occurs twice; send it once.");
}

}  // namespace
}  // namespace stint::api
