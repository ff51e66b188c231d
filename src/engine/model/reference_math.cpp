#include "engine/model/reference_math.h"

#include <algorithm>
#include <cmath>

namespace stint::model {

namespace {

constexpr std::uint32_t kLanes = 16;
constexpr std::uint32_t kRun = 128;

double dot_run(const float* a, const float* b, std::uint32_t count) {
  float lanes[kLanes] = {};
  std::uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  for (; i < count; ++i) lanes[i % kLanes] += a[i] * b[i];
  double sum = 0;
  for (const float lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

double silu(double x) {
  return x / (1 + std::exp(-x));
}

double gelu_tanh(double x) {
  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  return 0.5 * x * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
}

}  // namespace

double dot(const float* a, const float* b, std::uint32_t count) {
  double sum = 0;
  for (std::uint32_t i = 0; i < count; i += kRun) sum += dot_run(a + i, b + i, std::min(kRun, count - i));
  return sum;
}

void rms_norm(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out) {
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  const double scale = 1 / std::sqrt(sum / count + static_cast<double>(epsilon));
  for (std::uint32_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(static_cast<double>(x[i]) * scale * static_cast<double>(weight[i]));
}

void softmax(double* scores, std::uint32_t count) {
  const double highest = *std::max_element(scores, scores + count);
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) sum += scores[i] = std::exp(scores[i] - highest);
  for (std::uint32_t i = 0; i < count; ++i) scores[i] /= sum;
}

void gate_activation(Activation activation, float* gate, const float* up, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(gate[i]);
    const double activated = activation == Activation::silu ? silu(x) : gelu_tanh(x);
    gate[i] = static_cast<float>(activated * static_cast<double>(up[i]));
  }
}

}  // namespace stint::model
