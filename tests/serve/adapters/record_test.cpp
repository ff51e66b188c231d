#include "serve/adapters/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

class RecordTest : public ServeFixture {
 protected:
  // An exchange answered with `status`.
  Exchange& answered(int status) {
    ask("/v1/messages", kAnthropicStreamBody);
    Exchange& exchange = open_dispatched();
    const auto sent = fake_.run(connection_.respond({.status = status, .headers = {}, .reason = {}}, "body"));
    STINT_ASSERT(sent.has_value());
    exchange.principal.name = "team";
    return exchange;
  }
  std::uint64_t count(std::string_view status) { return metrics_.requests.with({"messages", status}).value(); }
};

TEST_F(RecordTest, counts_and_logs_an_answer) {
  Exchange& exchange = answered(200);
  exchange.outcome.usage = {.input_tokens = 3, .cache_read_tokens = 20, .cache_write_tokens = 0, .output_tokens = 7};
  exchange.outcome.time_to_first_token = milliseconds(250);
  clock().advance(milliseconds(1500));
  ASSERT_TRUE(run(Record(with_), exchange));
  EXPECT_EQ(count("200"), 1u);
  EXPECT_DOUBLE_EQ(metrics_.request_seconds.with({"messages"}).sum(), 1.5);
  EXPECT_DOUBLE_EQ(metrics_.time_to_first_token_seconds.sum(), 0.25);
  EXPECT_EQ(metrics_.input_tokens.value(), 23u);
  EXPECT_EQ(metrics_.cached_input_tokens.value(), 20u);
  EXPECT_EQ(metrics_.output_tokens.value(), 7u);
  EXPECT_EQ(metrics_.clients_gone.value(), 0u);
  ASSERT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(log_.levels[0], observe::LogLevel::info);
  for (const char* field : {" request ", "request_id=req_1", "endpoint=messages", "status=200", "principal=team",
                            "model=claude-x", "served_by=local/tiny", "stream=true", "input_tokens=23",
                            "output_tokens=7", "first_token_seconds=0.25", "seconds=1.5"}) {
    EXPECT_THAT(log_.lines[0], HasSubstr(field));
  }
}

TEST_F(RecordTest, a_client_that_left_is_a_499) {
  Exchange& exchange = answered(200);
  exchange.outcome.client_gone = true;
  exchange.failure = Error{.kind = ErrorKind::cancelled, .message = "the client left"};
  ASSERT_TRUE(run(Record(with_), exchange));
  EXPECT_EQ(count("499"), 1u);
  EXPECT_EQ(count("200"), 0u);
  EXPECT_EQ(metrics_.clients_gone.value(), 1u);
  EXPECT_THAT(log_.lines.at(0), HasSubstr("error=cancelled"));
}

TEST_F(RecordTest, a_failure_of_ours_is_a_warning_that_tells_its_kind_alone) {
  Exchange& ours = answered(500);
  ours.failure = Error{.kind = ErrorKind::internal, .message = "secret words of a prompt"};
  ASSERT_TRUE(run(Record(with_), ours));
  EXPECT_EQ(log_.levels.at(0), observe::LogLevel::warning);
  EXPECT_THAT(log_.lines[0], HasSubstr("error=internal"));
  EXPECT_THAT(log_.lines[0], Not(HasSubstr("secret")));
}

TEST_F(RecordTest, a_wrong_request_is_no_warning) {
  Exchange& theirs = answered(400);
  theirs.failure = Error{.kind = ErrorKind::invalid_request, .message = "wrong"};
  ASSERT_TRUE(run(Record(with_), theirs));
  EXPECT_EQ(log_.levels.at(0), observe::LogLevel::info);
  EXPECT_EQ(count("400"), 1u);
}

TEST_F(RecordTest, an_answer_without_content_leaves_time_to_first_token_alone) {
  ASSERT_TRUE(run(Record(with_), answered(200)));
  EXPECT_DOUBLE_EQ(metrics_.time_to_first_token_seconds.sum(), 0);
  const std::vector<std::uint64_t> counts = metrics_.time_to_first_token_seconds.bucket_counts();
  EXPECT_THAT(counts, testing::Each(0u));
}

}  // namespace
}  // namespace stint::serve
