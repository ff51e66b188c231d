#include "engine/sample/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "platform/base/random.h"

namespace stint::sample {
namespace {

TEST(Softmax, weights_are_exponentials_to_single_precision) {
  std::vector<float> logits;
  for (int i = 0; i <= 8600; ++i) logits.push_back(5.0f - 0.01f * static_cast<float>(i));
  std::vector<float> weights(logits.size());
  softmax_weights(logits, 5.0f, 1.0f, weights);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double exact = std::exp(static_cast<double>(logits[i]) - 5.0);
    EXPECT_NEAR(static_cast<double>(weights[i]) / exact, 1.0, 2e-7) << logits[i];
  }
  EXPECT_EQ(weights[0], 1.0f);
}

TEST(Softmax, temperature_scales_the_distance_to_the_peak) {
  const std::vector<float> logits{1.0f, 3.0f};
  std::vector<float> weights(2);
  softmax_weights(logits, 3.0f, 4.0f, weights);
  EXPECT_NEAR(weights[0], std::exp(-0.5), 1e-6);
}

TEST(Softmax, what_cannot_be_sampled_weighs_nothing) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> logits{-kInfinity, std::nanf(""), -3e38f, 3e38f, -100.0f};
  std::vector<float> weights(logits.size());
  softmax_weights(logits, 3e38f, 0.001f, weights);
  EXPECT_EQ(weights, (std::vector<float>{0, 0, 0, 1, 0}));
}

TEST(Softmax, log_sum_exp_agrees_with_double_precision) {
  base::Random random(3);
  std::vector<float> logits(1000);
  float peak = -1e9f;
  double sum = 0;
  for (float& logit : logits) {
    logit = static_cast<float>(random.unit() * 30 - 10);
    peak = std::max(peak, logit);
    sum += std::exp(static_cast<double>(logit));
  }
  EXPECT_NEAR(log_sum_exp(logits, peak), std::log(sum), 1e-6);
}

}  // namespace
}  // namespace stint::sample
