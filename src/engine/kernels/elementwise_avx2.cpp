// Norm, quantisation and gate of the AVX2 tier. Tails shorter than a vector go through the same arithmetic on a padded
// copy.
#if defined(__x86_64__)

#include <immintrin.h>

#include <cmath>
#include <cstring>
#include <iterator>

#include "engine/kernels/exp_avx2.h"
#include "engine/kernels/half.h"
#include "engine/kernels/tables_avx2.h"

namespace stint::kernels::avx2 {

namespace {

constexpr std::uint32_t kLanes = 8;

double sum_of_squares(const float* x, std::uint32_t count) {
  __m256d totals[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  std::uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m256d low = _mm256_cvtps_pd(_mm_loadu_ps(x + i));
    const __m256d high = _mm256_cvtps_pd(_mm_loadu_ps(x + i + 4));
    totals[0] = _mm256_fmadd_pd(low, low, totals[0]);
    totals[1] = _mm256_fmadd_pd(high, high, totals[1]);
  }
  alignas(32) double lanes[4];
  _mm256_store_pd(lanes, _mm256_add_pd(totals[0], totals[1]));
  double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return sum;
}

float highest_of(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

std::int32_t sum_of(__m128i v) {
  v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0x4e));
  v = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0xb1));
  return _mm_cvtsi128_si32(v);
}

// The one of kQuantGrids that leaves the least squared error; four sums at once.
float best_grid(const __m256* values, float inverse_highest) {
  static_assert(std::size(kQuantGrids) == 4);
  __m256 errors[4];
  for (int g = 0; g < 4; ++g) {
    const __m256 factor = _mm256_set1_ps(kQuantGrids[g] * inverse_highest);
    errors[g] = _mm256_setzero_ps();
    for (int i = 0; i < 4; ++i) {
      const __m256 exact = _mm256_mul_ps(values[i], factor);
      const __m256 rest = _mm256_sub_ps(exact, _mm256_round_ps(exact, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
      errors[g] = _mm256_fmadd_ps(rest, rest, errors[g]);
    }
  }
  const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(errors[0], errors[1]), _mm256_hadd_ps(errors[2], errors[3]));
  const __m128 sums = _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
  const __m128 grids = _mm_loadu_ps(kQuantGrids);
  alignas(16) float squares[4];
  _mm_store_ps(squares, _mm_div_ps(sums, _mm_mul_ps(grids, grids)));
  int best = 0;
  for (int g = 1; g < 4; ++g) best = squares[g] < squares[best] ? g : best;
  return kQuantGrids[best];
}

void quantize_block(const float* x, const QuantizedRow& out, std::uint32_t block) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  __m256 values[4];
  __m256 magnitudes = _mm256_setzero_ps();
  for (int i = 0; i < 4; ++i) {
    values[i] = _mm256_loadu_ps(x + 8 * i);
    magnitudes = _mm256_max_ps(magnitudes, _mm256_andnot_ps(sign, values[i]));
  }
  const float highest = highest_of(magnitudes);
  const float inverse_highest = highest > 0 ? 1 / highest : 0;
  const float grid = best_grid(values, inverse_highest);
  const float scale = highest / grid;
  const __m256 inverse = _mm256_set1_ps(grid * inverse_highest);
  __m256i quants[4];
  for (int i = 0; i < 4; ++i) quants[i] = _mm256_cvtps_epi32(_mm256_mul_ps(values[i], inverse));
  // Packing works within 128-bit lanes; the permutation puts the groups of four back in order.
  const __m256i pairs[2] = {_mm256_packs_epi32(quants[0], quants[1]), _mm256_packs_epi32(quants[2], quants[3])};
  const __m256i bytes =
      _mm256_permutevar8x32_epi32(_mm256_packs_epi16(pairs[0], pairs[1]), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.quants + 32 * block), bytes);
  const __m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes), _mm256_set1_epi16(1));
  const std::int32_t low = sum_of(_mm256_castsi256_si128(fours));
  const std::int32_t high = sum_of(_mm256_extracti128_si256(fours, 1));
  out.scales[block] = scale;
  out.sums[block] = scale * static_cast<float>(low + high);
  out.half_sums[2 * block] = static_cast<std::int16_t>(low);
  out.half_sums[2 * block + 1] = static_cast<std::int16_t>(high);
}

__m256 silu(__m256 x) {
  const __m256 one = _mm256_set1_ps(1);
  return _mm256_div_ps(x, _mm256_add_ps(one, exp(_mm256_sub_ps(_mm256_setzero_ps(), x))));
}

// x / (1 + e^(-2 y)) is 0.5 x (1 + tanh y).
__m256 gelu_tanh(__m256 x) {
  const __m256 cubic = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_set1_ps(0.044715f), _mm256_mul_ps(x, x)), x, x);
  const __m256 e = exp(_mm256_mul_ps(cubic, _mm256_set1_ps(-2 * 0.797884561f)));
  return _mm256_div_ps(x, _mm256_add_ps(_mm256_set1_ps(1), e));
}

__m256 gated(GateFunction function, __m256 gate, __m256 up) {
  return _mm256_mul_ps(function == GateFunction::silu ? silu(gate) : gelu_tanh(gate), up);
}

}  // namespace

void rms_norm(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out) {
  const float scale =
      static_cast<float>(1 / std::sqrt(sum_of_squares(x, count) / count + static_cast<double>(epsilon)));
  const __m256 factor = _mm256_set1_ps(scale);
  std::uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    _mm256_storeu_ps(out + i,
                     _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(x + i), factor), _mm256_loadu_ps(weight + i)));
  for (; i < count; ++i) out[i] = x[i] * scale * weight[i];
}

void quantize(const float* x, std::uint32_t count, const QuantizedRow& out) {
  for (std::uint32_t block = 0; block < count / 32; ++block) quantize_block(x + 32 * block, out, block);
}

void halves_from_floats(const float* x, std::uint32_t count, std::uint16_t* out) {
  std::uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < count; ++i) out[i] = f16_from_f32(x[i]);
}

void apply_gate(GateFunction function, const float* gate, const float* up, std::uint32_t count, float* out) {
  std::uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    _mm256_storeu_ps(out + i, gated(function, _mm256_loadu_ps(gate + i), _mm256_loadu_ps(up + i)));
  if (i == count) return;
  float tail[2][kLanes] = {};
  const std::size_t size = (count - i) * sizeof(float);
  std::memcpy(tail[0], gate + i, size);
  std::memcpy(tail[1], up + i, size);
  _mm256_storeu_ps(tail[0], gated(function, _mm256_loadu_ps(tail[0]), _mm256_loadu_ps(tail[1])));
  std::memcpy(out + i, tail[0], size);
}

const KernelTable kTable{Tier::avx2, rms_norm, quantize, multiply, apply_gate, attend, halves_from_floats};

}  // namespace stint::kernels::avx2

namespace stint::kernels {

const KernelTable& avx2_kernels() {
  return avx2::kTable;
}

}  // namespace stint::kernels

#endif
