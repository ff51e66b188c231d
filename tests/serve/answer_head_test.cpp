#include "serve/answer_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using std::chrono::microseconds;

class AnswerHeadTest : public ServeFixture {};

TEST_F(AnswerHeadTest, names_the_request_as_each_dialects_clients_look_for_it) {
  ask("/v1/messages", kAnthropicBody);
  const net::HttpResponseHead anthropic = answer_head(open(), "application/json");
  EXPECT_EQ(anthropic.status, 200);
  EXPECT_EQ(anthropic.headers.find("content-type"), "application/json");
  EXPECT_EQ(anthropic.headers.find("request-id"), "req_1");
  EXPECT_FALSE(anthropic.headers.contains("x-request-id"));
  ask("/v1/chat/completions", kOpenaiBody);
  EXPECT_EQ(answer_head(open(), "application/json").headers.find("x-request-id"), "req_1");
}

TEST_F(AnswerHeadTest, keeps_caches_and_proxies_from_holding_a_stream_back) {
  ask("/v1/messages", kAnthropicBody);
  const net::HttpResponseHead stream = answer_head(open(), "text/event-stream");
  EXPECT_EQ(stream.headers.find("cache-control"), "no-cache");
  EXPECT_EQ(stream.headers.find("x-accel-buffering"), "no");
  EXPECT_FALSE(answer_head(*exchange_, "application/json").headers.contains("cache-control"));
}

TEST_F(AnswerHeadTest, says_who_served_and_how_long_each_stage_took) {
  ask("/v1/messages", kAnthropicBody);
  Exchange& exchange = open();
  exchange.outcome.served_by = "local/tiny";
  exchange.stage_times.at(static_cast<std::size_t>(StageId::decode)) = microseconds(20);
  exchange.stage_times.at(static_cast<std::size_t>(StageId::dispatch)) = microseconds(1500);
  const net::HttpResponseHead head = answer_head(exchange, "application/json");
  EXPECT_EQ(head.headers.find("x-stint-served-by"), "local/tiny");
  EXPECT_EQ(head.headers.find("server-timing"), "decode;dur=0.020, dispatch;dur=1.500");
}

TEST_F(AnswerHeadTest, leaves_out_what_is_not_known) {
  ask("/v1/messages", kAnthropicBody);
  const net::HttpResponseHead head = answer_head(open(), "application/json");
  EXPECT_FALSE(head.headers.contains("x-stint-served-by"));
  EXPECT_FALSE(head.headers.contains("server-timing"));
}

TEST_F(AnswerHeadTest, a_listed_page_may_read_answers_and_errors) {
  ask("/v1/messages", kAnthropicBody, {{"origin", "https://app.example.com"}});
  const Exchange& exchange = open();
  const auto allowed = [](const net::HttpResponseHead& head) {
    return std::string(head.headers.find("access-control-allow-origin").value_or(""));
  };
  EXPECT_EQ(allowed(answer_head(exchange, "application/json")), "https://app.example.com");
  EXPECT_EQ(allowed(error_answer(exchange, {.kind = ErrorKind::internal, .message = "broken"}).head),
            "https://app.example.com");
}

TEST_F(AnswerHeadTest, an_error_answer_speaks_the_exchanges_dialect) {
  const base::Error error{.kind = ErrorKind::overloaded, .message = "full"};
  ask("/v1/messages", kAnthropicBody);
  const ErrorAnswer anthropic = error_answer(open(), error);
  EXPECT_EQ(anthropic.head.status, 529);
  EXPECT_THAT(anthropic.body, testing::StartsWith(R"({"type":"error")"));
  EXPECT_EQ(anthropic.head.headers.find("request-id"), "req_1");
  EXPECT_EQ(anthropic.head.headers.find("retry-after"), "1");
  ask("/v1/chat/completions", kOpenaiBody);
  const ErrorAnswer openai = error_answer(open(), error);
  EXPECT_EQ(openai.head.status, 503);
  EXPECT_THAT(openai.body, testing::StartsWith(R"({"error":)"));
}

}  // namespace
}  // namespace stint::serve
