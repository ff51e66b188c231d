#include "stages/plan/planner.h"

#include <gtest/gtest.h>

namespace stint::plan {
namespace {

TEST(Planner, one_attempt_at_the_resolved_backend) {
  const Plan plan = make_plan({.backend = "local", .model = "smollm2-135m", .urgent = true});
  ASSERT_EQ(plan.attempts.size(), 1u);
  EXPECT_EQ(plan.attempts[0].backend, "local");
  EXPECT_EQ(plan.attempts[0].model, "smollm2-135m");
  EXPECT_TRUE(plan.attempts[0].urgent);
}

}  // namespace
}  // namespace stint::plan
