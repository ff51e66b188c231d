#include "serve/adapters/receive.h"

#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class ReceiveTest : public ServeFixture {};

TEST_F(ReceiveTest, keeps_the_body_as_it_came) {
  ask("/v1/messages", kAnthropicBody);
  ASSERT_TRUE(run(Receive(), open()));
  ASSERT_NE(exchange_->body, nullptr);
  EXPECT_EQ(*exchange_->body, kAnthropicBody);
}

TEST_F(ReceiveTest, hands_on_why_there_is_no_body) {
  ask("/v1/messages", kAnthropicBody);
  connection_.sent_body = fail(ErrorKind::too_large, "larger than 32 MiB");
  const Result<void> result = run(Receive(), open());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::too_large);
}

}  // namespace
}  // namespace stint::serve
