#include "engine/model/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stint::model {
namespace {

TEST(Rope, position_zero_turns_nothing) {
  RopeTable table(4, 10000, 1, {});
  const std::vector<std::uint32_t> positions{0};
  table.prepare(positions);
  std::vector<float> head{1, 2, 3, 4};
  rotate(RopePairing::adjacent, table.row(0), head.data());
  EXPECT_EQ(head, (std::vector<float>{1, 2, 3, 4}));
}

TEST(Rope, pairs_are_neighbours_or_halves) {
  RopeTable table(4, 10000, 1, {});
  const std::vector<std::uint32_t> positions{9, 3};
  table.prepare(positions);
  const double fast = 3;         // pair 0
  const double slow = 3 * 0.01;  // pair 1: 10000^(-2/4)
  std::vector<float> head{1, 0, 1, 0};
  rotate(RopePairing::adjacent, table.row(1), head.data());
  EXPECT_NEAR(head[0], std::cos(fast), 1e-6);
  EXPECT_NEAR(head[1], std::sin(fast), 1e-6);
  EXPECT_NEAR(head[2], std::cos(slow), 1e-6);
  EXPECT_NEAR(head[3], std::sin(slow), 1e-6);
  head = {1, 1, 0, 0};
  rotate(RopePairing::halves, table.row(1), head.data());
  EXPECT_NEAR(head[0], std::cos(fast), 1e-6);
  EXPECT_NEAR(head[1], std::cos(slow), 1e-6);
  EXPECT_NEAR(head[2], std::sin(fast), 1e-6);
  EXPECT_NEAR(head[3], std::sin(slow), 1e-6);
}

TEST(Rope, scale_and_divisors_slow_the_turn) {
  const std::vector<float> divisors{1, 4};
  RopeTable table(4, 10000, 0.5, divisors);
  const std::vector<std::uint32_t> positions{8};
  table.prepare(positions);
  EXPECT_NEAR(table.row(0)[0], std::cos(4.0), 1e-6);
  EXPECT_NEAR(table.row(0)[3], std::sin(4 * 0.01 / 4), 1e-7);
}

TEST(Rope, stays_exact_far_out) {
  RopeTable table(64, 100000, 1, {});
  const std::vector<std::uint32_t> positions{8191};
  table.prepare(positions);
  EXPECT_NEAR(table.row(0)[0], std::cos(8191.0), 1e-7);
  EXPECT_NEAR(table.row(0)[1], std::cos(8191 * std::pow(100000.0, -2.0 / 64)), 1e-7);
}

}  // namespace
}  // namespace stint::model
