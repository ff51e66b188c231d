#include "engine/sample/truncation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "platform/base/random.h"

namespace stint::sample {
namespace {

std::vector<float> after_top_p(std::vector<float> weights, float top_p) {
  std::vector<std::uint32_t> scratch;
  apply_top_p(weights, top_p, scratch);
  return weights;
}

// The definition, with a full sort.
std::vector<float> sorted_top_p(std::vector<float> weights, float top_p) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return weights[a] > weights[b] || (weights[a] == weights[b] && a < b);
  });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    float& weight = weights[order[i]];
    const bool kept = i == 0 || sum < static_cast<double>(top_p) * total;
    sum += static_cast<double>(weight);
    if (!kept) weight = 0;
  }
  return weights;
}

TEST(Truncation, min_p_keeps_what_reaches_the_share_of_the_best) {
  std::vector<float> weights{0.1f, 1.0f, 0.0999f, 0.0f, 0.5f};
  apply_min_p(weights, 0.1f);
  EXPECT_EQ(weights, (std::vector<float>{0.1f, 1.0f, 0, 0, 0.5f}));
  apply_min_p(weights, 7.0f);
  EXPECT_EQ(weights, (std::vector<float>{0, 1.0f, 0, 0, 0}));
}

TEST(Truncation, top_p_keeps_the_smallest_set_that_reaches_the_mass) {
  const std::vector<float> weights{0.25f, 1.0f, 0.5f, 0.25f};
  EXPECT_EQ(after_top_p(weights, 0.5f), (std::vector<float>{0, 1.0f, 0, 0}));
  EXPECT_EQ(after_top_p(weights, 0.51f), (std::vector<float>{0, 1.0f, 0.5f, 0}));
  EXPECT_EQ(after_top_p(weights, 0.8f), (std::vector<float>{0.25f, 1.0f, 0.5f, 0})) << "of equal ones the lower index";
  EXPECT_EQ(after_top_p(weights, 0.99f), weights);
}

TEST(Truncation, top_p_of_zero_keeps_one) {
  EXPECT_EQ(after_top_p({0.5f, 1.0f, 1.0f}, 0.0f), (std::vector<float>{0, 1.0f, 0}));
  EXPECT_EQ(after_top_p({1.0f}, 0.0f), (std::vector<float>{1.0f}));
}

TEST(Truncation, top_p_equals_a_full_sort) {
  base::Random random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<float> weights(1 + random.below(300));
    // Powers of two sum exactly, so both ways of adding agree on every border.
    for (float& weight : weights) weight = std::ldexp(1.0f, -static_cast<int>(random.below(12)));
    weights[random.below(weights.size())] = 1.0f;
    weights[random.below(weights.size())] = 0.0f;
    if (*std::max_element(weights.begin(), weights.end()) == 0) continue;
    const float top_p = static_cast<float>(random.below(64)) / 64;
    EXPECT_EQ(after_top_p(weights, top_p), sorted_top_p(weights, top_p)) << top_p;
  }
}

TEST(Truncation, draw_walks_the_cumulative_sum_and_never_lands_on_nothing) {
  const std::vector<float> weights{0, 1, 0, 3, 0};
  EXPECT_EQ(draw(weights, 0.0), 1U);
  EXPECT_EQ(draw(weights, 0.2499), 1U);
  EXPECT_EQ(draw(weights, 0.25), 3U);
  EXPECT_EQ(draw(weights, 1.0 - 1e-16), 3U);
}

}  // namespace
}  // namespace stint::sample
