#include "platform/base/assert.h"

#include <gtest/gtest.h>

namespace {

TEST(Assert, lets_what_is_true_pass_and_evaluates_it_once) {
  int evaluation_count = 0;
  STINT_ASSERT(++evaluation_count == 1);
  EXPECT_EQ(evaluation_count, 1);
}

TEST(AssertDeathTest, names_expression_and_place_before_it_aborts) {
  EXPECT_DEATH(STINT_ASSERT(1 + 1 == 3), "1 \\+ 1 == 3.*assert_test\\.cpp:");
}

}  // namespace
