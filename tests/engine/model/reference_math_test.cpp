#include "engine/model/reference_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stint::model {
namespace {

TEST(ReferenceMath, dot_takes_every_element_once) {
  for (const std::uint32_t count : {0U, 1U, 15U, 17U, 127U, 129U, 300U}) {
    std::vector<float> a(count);
    std::vector<float> b(count);
    double expected = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      a[i] = static_cast<float>(i + 1);
      b[i] = i % 2 == 0 ? 1.0f : -2.0f;
      expected += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    EXPECT_EQ(dot(a.data(), b.data(), count), expected);
  }
}

TEST(ReferenceMath, rms_norm_brings_the_mean_square_to_one) {
  std::vector<float> x{3, -4};
  const std::vector<float> weight{1, 2};
  rms_norm(x.data(), weight.data(), 2, 0, x.data());
  EXPECT_NEAR(x[0], 3 / std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(x[1], -8 / std::sqrt(12.5), 1e-6);
}

TEST(ReferenceMath, softmax_of_large_scores_does_not_overflow) {
  std::vector<double> scores{1000, 1000 + std::log(3.0)};
  softmax(scores.data(), 2);
  EXPECT_NEAR(scores[0], 0.25, 1e-12);
  EXPECT_NEAR(scores[1], 0.75, 1e-12);
}

TEST(ReferenceMath, gates) {
  std::vector<float> gate{1};
  const std::vector<float> up{2};
  gate_activation(Activation::silu, gate.data(), up.data(), 1);
  EXPECT_NEAR(gate[0], 2 * 0.7310585786, 1e-6);
  gate = {1};
  gate_activation(Activation::gelu_tanh, gate.data(), up.data(), 1);
  EXPECT_NEAR(gate[0], 2 * 0.8411919906, 1e-6);
}

}  // namespace
}  // namespace stint::model
