#include "serve/adapters/encode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/limits.h"
#include "tests/fakes/stream_checker.h"
#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kAnthropicPing = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
constexpr std::string_view kOpenaiComment = ": keep-alive\n\n";

class EncodeTest : public ServeFixture {
 protected:
  ~EncodeTest() override { fake_.loop().shutdown(); }

  // Starts to answer what `path` and `body` ask; script() says what the model gives.
  Exchange& begin(std::string_view path, std::string_view body) {
    ask(path, body);
    Exchange& exchange = open_dispatched();
    fake_.start(encode_.run(exchange), done_);
    return exchange;
  }
  Exchange& begin_messages() { return begin("/v1/messages", kAnthropicStreamBody); }
  Exchange& begin_chat() { return begin("/v1/chat/completions", kOpenaiStreamBody); }

  Encode encode_{with_};
  std::optional<Result<void>> done_;
};

TEST_F(EncodeTest, without_streaming_the_answer_is_one_body) {
  push_answer("Hello");
  const Exchange& exchange = begin("/v1/messages", kAnthropicBody);
  ASSERT_TRUE(done_);
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(connection_.header("content-type"), "application/json");
  EXPECT_EQ(connection_.header("request-id"), "req_1");
  EXPECT_EQ(connection_.header("x-stint-served-by"), "local/tiny");
  EXPECT_EQ(connection_.write_count, 1u);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("text":"Hello")"));
  EXPECT_THAT(connection_.answer, HasSubstr(R"("id":"answer_1")"));
  EXPECT_EQ(exchange.outcome.usage.output_tokens, 4u);
  EXPECT_EQ(exchange.outcome.finish_reason, chat::FinishReason::stop);
  EXPECT_FALSE(exchange.failure);
}

TEST_F(EncodeTest, a_body_is_not_begun_however_long_the_model_takes) {
  begin("/v1/messages", kAnthropicBody);
  push_start();
  fake_.advance(std::chrono::hours(1));
  EXPECT_EQ(connection_.status(), 0);
  script().push_text("late");
  push_finish();
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
}

TEST_F(EncodeTest, a_failure_of_a_body_is_a_status_however_late) {
  begin("/v1/messages", kAnthropicBody);
  push_start();
  script().push_text("half an answer");
  script().push_failure(ErrorKind::internal, "the model broke");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 500);
  EXPECT_THAT(connection_.answer, HasSubstr("the model broke"));
  EXPECT_THAT(connection_.answer, Not(HasSubstr("half an answer")));
}

TEST_F(EncodeTest, a_stream_begins_with_the_first_content) {
  begin_messages();
  push_start();
  fake_.settle();
  EXPECT_EQ(connection_.status(), 0);
  script().push_text("Hel");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(connection_.header("content-type"), "text/event-stream");
  EXPECT_EQ(connection_.header("cache-control"), "no-cache");
  EXPECT_EQ(connection_.write_count, 1u);
  EXPECT_THAT(connection_.answer, StartsWith("event: message_start\n"));
  EXPECT_THAT(connection_.answer, HasSubstr("Hel"));
  EXPECT_FALSE(connection_.complete);
}

TEST_F(EncodeTest, every_event_leaves_at_once_and_the_end_completes_the_answer) {
  begin_messages();
  push_start();
  script().push_text("Hel");
  fake_.settle();
  script().push_text("lo");
  fake_.settle();
  EXPECT_EQ(connection_.write_count, 2u);
  push_finish();
  fake_.settle();
  EXPECT_EQ(fakes::AnthropicStreamChecker().check(connection_.answer), "");
  EXPECT_TRUE(connection_.complete);
  ASSERT_TRUE(done_);
  EXPECT_TRUE(done_->has_value());
}

TEST_F(EncodeTest, an_openai_stream_ends_with_done) {
  begin_chat();
  push_answer("Hello");
  fake_.settle();
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(connection_.answer), "");
  EXPECT_EQ(connection_.header("x-request-id"), "req_1");
  EXPECT_TRUE(connection_.complete);
}

TEST_F(EncodeTest, a_stream_without_content_is_complete_too) {
  begin_messages();
  push_start();
  push_finish();
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(fakes::AnthropicStreamChecker().check(connection_.answer), "");
}

TEST_F(EncodeTest, a_failure_before_the_first_content_is_a_status) {
  const Exchange& exchange = begin_messages();
  push_start();
  script().push_failure(ErrorKind::overloaded, "too much to do");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 529);
  EXPECT_EQ(connection_.header("content-type"), "application/json");
  EXPECT_EQ(connection_.header("retry-after"), "1");
  EXPECT_THAT(connection_.answer, StartsWith(R"({"type":"error","error":{"type":"overloaded_error")"));
  EXPECT_THAT(connection_.answer, HasSubstr(R"("request_id":"req_1")"));
  ASSERT_TRUE(exchange.failure);
  EXPECT_FALSE(exchange.outcome.time_to_first_token);
}

TEST_F(EncodeTest, the_status_of_a_failure_follows_the_dialect) {
  begin_chat();
  push_start();
  script().push({.kind = chat::Event::Kind::error, .error = Error{.kind = ErrorKind::overloaded, .message = "full"}});
  fake_.settle();
  EXPECT_EQ(connection_.status(), 503);
  EXPECT_THAT(connection_.answer, StartsWith(R"({"error":{"message":"full")"));
}

TEST_F(EncodeTest, a_failure_after_the_first_content_is_an_error_event_and_the_end) {
  const Exchange& exchange = begin_messages();
  push_start();
  script().push_text("Hel");
  script().push_failure(ErrorKind::internal, "the model broke");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(fakes::AnthropicStreamChecker().check(connection_.answer, true), "");
  EXPECT_THAT(connection_.answer, HasSubstr("event: error\n"));
  EXPECT_THAT(connection_.answer, HasSubstr("the model broke"));
  EXPECT_THAT(connection_.answer, Not(HasSubstr("message_stop")));
  EXPECT_TRUE(connection_.complete);
  ASSERT_TRUE(exchange.failure);
  EXPECT_EQ(exchange.failure->kind, ErrorKind::internal);
}

TEST_F(EncodeTest, a_failed_openai_stream_has_no_done) {
  begin_chat();
  push_start();
  script().push_text("Hel");
  script().push_failure(ErrorKind::internal, "the model broke");
  fake_.settle();
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(connection_.answer, true), "");
  EXPECT_THAT(connection_.answer, HasSubstr("the model broke"));
  EXPECT_THAT(connection_.answer, Not(HasSubstr("[DONE]")));
}

TEST_F(EncodeTest, silence_of_fifteen_seconds_begins_the_stream_with_a_keep_alive) {
  begin_messages();
  push_start();
  fake_.advance(base::kStreamKeepAlive - milliseconds(1));
  EXPECT_EQ(connection_.status(), 0);
  fake_.advance(milliseconds(1));
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_THAT(connection_.answer, StartsWith("event: message_start\n"));
  EXPECT_THAT(connection_.answer, EndsWith(kAnthropicPing));
}

TEST_F(EncodeTest, keep_alives_go_on_through_every_silence) {
  begin_chat();
  fake_.advance(base::kStreamKeepAlive);
  EXPECT_EQ(connection_.answer, kOpenaiComment);
  fake_.advance(base::kStreamKeepAlive * 2);
  EXPECT_EQ(connection_.write_count, 3u);
  push_start();
  script().push_text("Hel");
  fake_.settle();
  EXPECT_EQ(connection_.write_count, 5u);  // what follows a keep-alive is no longer held back
  fake_.advance(base::kStreamKeepAlive - milliseconds(1));
  EXPECT_EQ(connection_.write_count, 5u);
  fake_.advance(milliseconds(1));
  EXPECT_THAT(connection_.answer, EndsWith(kOpenaiComment));
  push_finish();
  fake_.settle();
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(connection_.answer), "");
}

TEST_F(EncodeTest, a_failure_after_a_keep_alive_is_an_error_event) {
  begin_messages();
  fake_.advance(base::kStreamKeepAlive);
  script().push_failure(ErrorKind::overloaded, "too much to do");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_THAT(connection_.answer, StartsWith(kAnthropicPing));
  EXPECT_THAT(connection_.answer, HasSubstr("event: error\n"));
}

TEST_F(EncodeTest, time_to_first_token_is_measured_from_the_head) {
  const Exchange& exchange = begin_messages();
  push_start();
  fake_.advance(seconds(2));
  EXPECT_FALSE(exchange.outcome.time_to_first_token);
  script().push_text("Hel");
  fake_.advance(seconds(3));
  push_finish();
  fake_.settle();
  EXPECT_EQ(exchange.outcome.time_to_first_token, base::Duration(seconds(2)));
}

TEST_F(EncodeTest, counted_tokens_are_the_whole_answer) {
  ask("/v1/messages/count_tokens", kAnthropicBody);
  Exchange& exchange = open();
  exchange.token_count = 17;
  ASSERT_TRUE(run(encode_, exchange));
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(connection_.answer, R"({"input_tokens":17})");
}

TEST_F(EncodeTest, embeddings_are_one_body) {
  push_start();
  script().push({.kind = chat::Event::Kind::embedding, .embedding = {0.5F, -0.5F}});
  push_finish();
  begin("/v1/embeddings", R"({"model":"e","input":"Hi"})");
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("embedding":[0.5,-0.5])"));
}

TEST_F(EncodeTest, a_failure_of_an_earlier_stage_is_told_in_the_dialect) {
  ask("/v1/messages", "not JSON");
  Exchange& exchange = open();
  exchange.failure = Error{.kind = ErrorKind::invalid_request, .message = "the body is no JSON"};
  ASSERT_TRUE(run(encode_, exchange));
  EXPECT_EQ(connection_.status(), 400);
  EXPECT_THAT(connection_.answer, HasSubstr("the body is no JSON"));
  EXPECT_TRUE(connection_.complete);
}

TEST_F(EncodeTest, a_client_that_leaves_before_the_first_content_cancels_the_stream) {
  const Exchange& exchange = begin_messages();
  push_start();
  fake_.settle();
  connection_.leave();
  EXPECT_TRUE(script().cancelled);
  fake_.settle();
  ASSERT_TRUE(done_);
  EXPECT_TRUE(exchange.outcome.client_gone);
  EXPECT_EQ(connection_.status(), 0);
}

TEST_F(EncodeTest, a_client_that_leaves_a_running_answer_cancels_the_stream) {
  const Exchange& exchange = begin_messages();
  push_start(5);
  script().push_text("Hel");
  fake_.settle();
  connection_.leave();
  fake_.settle();
  EXPECT_TRUE(script().cancelled);
  ASSERT_TRUE(done_);
  EXPECT_TRUE(exchange.outcome.client_gone);
  EXPECT_FALSE(connection_.complete);
  EXPECT_EQ(exchange.outcome.usage.input_tokens, 5u);  // what was used is counted all the same
  EXPECT_EQ(exchange.outcome.usage.output_tokens, 1u);
}

TEST_F(EncodeTest, a_client_that_left_long_ago_asks_nothing_of_the_model) {
  push_answer("Hello");
  connection_.leave();
  const Exchange& exchange = begin("/v1/messages", kAnthropicBody);
  EXPECT_TRUE(script().cancelled);
  EXPECT_EQ(script().taken_count, 0u);
  EXPECT_TRUE(exchange.outcome.client_gone);
}

TEST_F(EncodeTest, a_refused_request_is_answered_even_if_the_client_has_closed_its_sending_side) {
  ask("/v1/messages", "not JSON");
  connection_.leave();
  Exchange& exchange = open();
  exchange.failure = Error{.kind = ErrorKind::invalid_request, .message = "the body is no JSON"};
  ASSERT_TRUE(run(encode_, exchange));
  EXPECT_EQ(connection_.status(), 400);
  EXPECT_FALSE(exchange.outcome.client_gone);
}

TEST_F(EncodeTest, who_leaves_after_the_end_has_its_answer) {
  push_answer("Hello");
  const Exchange& exchange = begin_messages();
  connection_.leave();
  fake_.settle();
  EXPECT_TRUE(connection_.complete);
  EXPECT_FALSE(exchange.outcome.client_gone);
  EXPECT_FALSE(script().cancelled);
}

TEST_F(EncodeTest, a_write_that_fails_ends_the_answer) {
  const Exchange& exchange = begin_messages();
  push_start();
  script().push_text("Hel");
  fake_.settle();
  connection_.write_failure = Error{.kind = ErrorKind::timeout, .message = "the reader is stuck"};
  script().push_text("lo");
  script().push_text("!");
  fake_.settle();
  ASSERT_TRUE(done_);
  EXPECT_FALSE(connection_.complete);
  ASSERT_TRUE(exchange.failure);
  EXPECT_EQ(exchange.failure->message, "the reader is stuck");
  EXPECT_EQ(script().events.size(), 1u);  // nothing was pulled after the failure
}

TEST_F(EncodeTest, a_body_beyond_its_limit_is_refused) {
  begin("/v1/messages", kAnthropicBody);
  push_start();
  for (int i = 0; i < 9; ++i) script().push_text(std::string(base::kMiB, 'x'));
  fake_.settle();
  EXPECT_EQ(connection_.status(), 413);
  EXPECT_THAT(connection_.answer, HasSubstr("8 MiB"));
}

TEST_F(EncodeTest, a_stream_has_no_such_limit) {
  begin_messages();
  push_start();
  for (int i = 0; i < 9; ++i) script().push_text(std::string(base::kMiB, 'x'));
  push_finish();
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_TRUE(connection_.complete);
}

}  // namespace
}  // namespace stint::serve
