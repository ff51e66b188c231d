#include "engine/sample/softmax.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/sample/blocks.h"
#include "platform/base/assert.h"

namespace stint::sample {

namespace {

constexpr float kExponentMin = -87.0f;  // exp of less is below the smallest normal float

// e^x for x <= 0, the expf of the Cephes library (Moshier, 1989): x = n ln 2 + r, then a polynomial in r. Without
// branches, so that the loops around it become vector code. NaN gives 0.
inline float exp_of_nonpositive(float x) {
  const bool representable = x > kExponentMin;
  const float clamped = representable ? x : kExponentMin;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding and subtracting it rounds to an integer
  const float n = (clamped * 1.44269504088896341f + kRound) - kRound;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const float power = std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
  return representable ? p * power : 0.0f;
}

}  // namespace

void softmax_weights(std::span<const float> logits, float peak, float temperature, std::span<float> weights) {
  STINT_ASSERT(logits.size() == weights.size() && std::isfinite(peak) && temperature > 0);
  const float scale = 1.0f / temperature;
  const float* in = logits.data();
  float* out = weights.data();
  for (std::size_t i = 0; i < logits.size(); ++i) out[i] = exp_of_nonpositive((in[i] - peak) * scale);
}

double log_sum_exp(std::span<const float> logits, float peak) {
  STINT_ASSERT(std::isfinite(peak));
  std::array<float, kBlock> weights;
  double sum = 0;
  for (std::size_t block = 0; block < block_count(logits.size()); ++block) {
    const std::span<const float> values = block_of(logits, block);
    const std::span<float> part = std::span(weights).first(values.size());
    softmax_weights(values, peak, 1.0f, part);
    sum += static_cast<double>(block_sum(part));
  }
  return static_cast<double>(peak) + std::log(sum);
}

}  // namespace stint::sample
