#include "app/protocol_failure.h"

#include <gtest/gtest.h>

namespace stint::app {
namespace {

TEST(ProtocolFailure, is_told_in_the_dialect_of_the_path) {
  const net::Headers headers;
  net::ProtocolFailure failure{.status = 413,
                               .error = {.kind = ErrorKind::too_large, .message = "too much"},
                               .target = "/v1/messages?beta=true",
                               .headers = &headers};
  const auto [head, body] = format_protocol_failure(failure);
  EXPECT_EQ(head.status, 413);
  EXPECT_NE(body.find(R"("type":"error")"), std::string::npos) << body;
  EXPECT_NE(body.find("request_too_large"), std::string::npos) << body;
  failure.target = "/v1/chat/completions";
  const auto [openai_head, openai_body] = format_protocol_failure(failure);
  EXPECT_NE(openai_body.find(R"({"error":{)"), std::string::npos) << openai_body;
  EXPECT_EQ(openai_head.headers.find("content-type"), "application/json");
}

}  // namespace
}  // namespace stint::app
