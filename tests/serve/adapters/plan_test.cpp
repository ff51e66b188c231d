#include "serve/adapters/plan.h"

#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class PlanTest : public ServeFixture {};

TEST_F(PlanTest, plans_for_the_resolved_model_with_the_callers_urgency) {
  ask("/v1/messages", kAnthropicBody);
  Exchange& exchange = open();
  exchange.model = {.backend = "local", .model = kModel};
  exchange.request.own.urgent = true;
  ASSERT_TRUE(run(Plan(), exchange));
  ASSERT_EQ(exchange.plan.attempts.size(), 1u);
  EXPECT_EQ(exchange.plan.attempts[0].backend, "local");
  EXPECT_EQ(exchange.plan.attempts[0].model, kModel);
  EXPECT_TRUE(exchange.plan.attempts[0].urgent);
}

}  // namespace
}  // namespace stint::serve
