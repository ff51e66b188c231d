#include "serve/api/error_body.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stint::api {
namespace {

using base::Error;
using base::ErrorKind;
using chat::DialectId;

std::string header(const ErrorReply& reply, std::string_view name) {
  const auto found = std::ranges::find(reply.headers, name, [](const auto& field) { return field.first; });
  return found == reply.headers.end() ? "-" : found->second;
}

ErrorReply reply(ErrorKind kind, DialectId dialect) {
  return encode_error({kind, "What happened.", "", ""}, {.dialect = dialect, .request_id = "req_1"});
}

TEST(ErrorBody, statuses_and_types_of_both_dialects) {
  struct Case {
    ErrorKind kind;
    int anthropic_status;
    int openai_status;
    std::string_view anthropic_type;
  };
  for (const Case& c :
       {Case{ErrorKind::invalid_request, 400, 400, "invalid_request_error"},
        Case{ErrorKind::unsupported, 400, 400, "invalid_request_error"},
        Case{ErrorKind::authentication, 401, 401, "authentication_error"},
        Case{ErrorKind::permission, 403, 403, "permission_error"},
        Case{ErrorKind::not_found, 404, 404, "not_found_error"},
        Case{ErrorKind::method_not_allowed, 405, 405, "invalid_request_error"},
        Case{ErrorKind::timeout_request, 408, 408, "timeout_error"},
        Case{ErrorKind::conflict, 409, 409, "conflict_error"},
        Case{ErrorKind::too_large, 413, 413, "request_too_large"},
        Case{ErrorKind::headers_too_large, 431, 431, "invalid_request_error"},
        Case{ErrorKind::rate_limited, 429, 429, "rate_limit_error"}, Case{ErrorKind::cancelled, 499, 499, "api_error"},
        Case{ErrorKind::internal, 500, 500, "api_error"}, Case{ErrorKind::unavailable, 503, 503, "api_error"},
        Case{ErrorKind::overloaded, 529, 503, "overloaded_error"}, Case{ErrorKind::timeout, 504, 504, "timeout_error"},
        Case{ErrorKind::corrupt, 500, 500, "api_error"}, Case{ErrorKind::io, 500, 500, "api_error"}}) {
    const ErrorReply anthropic = reply(c.kind, DialectId::anthropic);
    EXPECT_EQ(anthropic.status, c.anthropic_status);
    EXPECT_TRUE(anthropic.body.contains(fmt::format(R"("error":{{"type":"{}")", c.anthropic_type))) << anthropic.body;
    EXPECT_EQ(reply(c.kind, DialectId::openai).status, c.openai_status);
  }
}

TEST(ErrorBody, anthropic_shape) {
  const ErrorReply plain = encode_error({ErrorKind::invalid_request, "max_tokens: \"x\"", "max_tokens", ""},
                                        {.dialect = DialectId::anthropic, .request_id = "req_1"});
  EXPECT_EQ(plain.body, R"({"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: \"x\""},)"
                        R"("request_id":"req_1"})");
  EXPECT_EQ(header(plain, "request-id"), "req_1");
  EXPECT_EQ(header(plain, "content-type"), "application/json");
  EXPECT_EQ(header(plain, "retry-after"), "-");
  const ErrorReply coded = encode_error({ErrorKind::unsupported, "No.", "thread", "thread_unsupported_request"},
                                        {.dialect = DialectId::anthropic, .request_id = "req_1"});
  EXPECT_TRUE(coded.body.contains(R"("details":{"error_code":"thread_unsupported_request"})")) << coded.body;
}

TEST(ErrorBody, openai_shape) {
  const ErrorReply plain = encode_error({ErrorKind::invalid_request, "Bad.", "messages.0.role", ""},
                                        {.dialect = DialectId::openai, .request_id = "req_1"});
  EXPECT_EQ(plain.body,
            R"({"error":{"message":"Bad.","type":"invalid_request_error","param":"messages.0.role","code":null}})");
  EXPECT_EQ(header(plain, "x-request-id"), "req_1");
  const ErrorReply coded = encode_error({ErrorKind::invalid_request, "Long.", "", "context_length_exceeded"},
                                        {.dialect = DialectId::openai, .request_id = "req_1"});
  EXPECT_TRUE(coded.body.contains(R"("param":null,"code":"context_length_exceeded")")) << coded.body;
  EXPECT_TRUE(reply(ErrorKind::authentication, DialectId::openai).body.contains(R"("code":"invalid_api_key")"));
}

TEST(ErrorBody, tells_when_and_whether_to_come_back) {
  EXPECT_EQ(header(reply(ErrorKind::overloaded, DialectId::anthropic), "retry-after"), "1");
  EXPECT_EQ(header(reply(ErrorKind::rate_limited, DialectId::openai), "retry-after"), "1");
  EXPECT_EQ(header(reply(ErrorKind::internal, DialectId::openai), "retry-after"), "-");
  EXPECT_EQ(header(reply(ErrorKind::internal, DialectId::openai), "x-should-retry"), "-");
  const ErrorReply told = encode_error({ErrorKind::rate_limited, "Spent.", "", ""}, {.dialect = DialectId::anthropic,
                                                                                     .request_id = "req_1",
                                                                                     .retry_after_s = 30,
                                                                                     .should_retry = false,
                                                                                     .allow = {}});
  EXPECT_EQ(header(told, "retry-after"), "30");
  EXPECT_EQ(header(told, "x-should-retry"), "false");
}

TEST(ErrorBody, a_wrong_method_is_answered_with_the_right_ones) {
  const ErrorReply told = encode_error({ErrorKind::method_not_allowed, "Use POST.", "", ""}, {.allow = "POST"});
  EXPECT_EQ(header(told, "allow"), "POST");
}

TEST(ErrorBody, stream_objects) {
  EXPECT_EQ(stream_error_object({ErrorKind::overloaded, "Full.", "", ""}, DialectId::anthropic),
            R"({"type":"error","error":{"type":"overloaded_error","message":"Full."}})");
  EXPECT_EQ(stream_error_object({ErrorKind::io, "Cut.", "", ""}, DialectId::openai),
            R"({"error":{"message":"Cut.","type":"upstream_error","param":null,"code":"stream_interrupted"}})");
  EXPECT_EQ(stream_error_object({ErrorKind::timeout, "Late.", "", "x"}, DialectId::openai),
            R"({"error":{"message":"Late.","type":"timeout_error","param":null,"code":"x"}})");
}

}  // namespace
}  // namespace stint::api
