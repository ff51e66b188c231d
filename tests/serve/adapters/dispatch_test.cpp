#include "serve/adapters/dispatch.h"

#include <gtest/gtest.h>

#include "serve/adapters/plan.h"
#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class DispatchTest : public ServeFixture {
 protected:
  Result<void> dispatch(std::string_view path) {
    ask(path, kAnthropicBody);
    Exchange& exchange = open_dispatched();
    exchange.stream.reset();
    exchange.model = {.backend = "local", .model = kModel};
    STINT_ASSERT(run(Plan(), exchange).has_value());
    return run(Dispatch(with_), exchange);
  }
};

TEST_F(DispatchTest, opens_the_stream_of_the_plan) {
  ASSERT_TRUE(dispatch("/v1/messages"));
  EXPECT_NE(exchange_->stream, nullptr);
  EXPECT_EQ(exchange_->outcome.served_by, "local/tiny");
  EXPECT_EQ(exchange_->outcome.attempt_count, 1u);
  EXPECT_EQ(backend_.started_models, std::vector<std::string>{"tiny"});
}

TEST_F(DispatchTest, a_refusal_is_the_requests_failure) {
  backend_.refusals.push_back({.kind = ErrorKind::unavailable, .message = "still loading"});
  const Result<void> result = dispatch("/v1/messages");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "still loading");
  EXPECT_EQ(exchange_->stream, nullptr);
  EXPECT_EQ(exchange_->outcome.served_by, "local/tiny");  // who refused
}

TEST_F(DispatchTest, counting_tokens_opens_no_stream) {
  backend_.token_count = 12;
  ASSERT_TRUE(dispatch("/v1/messages/count_tokens"));
  EXPECT_EQ(exchange_->token_count, 12u);
  EXPECT_EQ(exchange_->stream, nullptr);
  EXPECT_TRUE(backend_.started_models.empty());
}

}  // namespace
}  // namespace stint::serve
