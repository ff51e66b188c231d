#include "platform/base/random.h"

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Random, same_seed_same_sequence) {
  Random a(7);
  Random b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, below_stays_in_range_and_reaches_every_value) {
  Random random(1);
  std::array<int, 5> counts{};
  for (int i = 0; i < 5000; ++i) ++counts.at(random.below(5));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, unit_is_half_on_average) {
  Random random(0);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

}  // namespace
}  // namespace stint::base
