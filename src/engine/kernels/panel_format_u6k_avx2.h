// The AVX2 product's view of layout u6_k (Q6_K), the one integer layout with two scales a block. What a format has to
// offer is said in panel_formats_avx2.h. Private to the *_avx2.cpp files.
#pragma once

#include "engine/kernels/panel_formats_avx2.h"

namespace stint::kernels::avx2 {

// Two scales a block: they multiply the 16-bit sums while those are widened. Two groups of 6-bit weights (2 * 2 * 63 *
// 127 = 32,004) fit 16 bits. The offset of 32 is taken out with the sums of the activations: s0 * sum0 + s1 * sum1 is
// one VPMADDWD.
struct U6K {
  static constexpr std::uint32_t kTile = 3;
  static constexpr std::size_t kHeadSize = kHalvesSize;
  static constexpr std::uint32_t kBlocks = kSuperBlocks;
  static constexpr std::size_t kBlockSize = kU6KBlockSize;
  static constexpr bool kHasMinimum = false;
  static __m256 head(const std::byte* p) { return load_halves(p); }
  static Scales scales(__m256 head, const std::byte*) { return {head, _mm256_setzero_ps()}; }

  // Lane r: scale of row r as i16, in both halves or with the other scale above it.
  static __m256i both_halves(__m256i s) {
    return _mm256_or_si256(_mm256_and_si256(s, _mm256_set1_epi32(0xffff)), _mm256_slli_epi32(s, 16));
  }
  static __m256i load_scales(const std::byte* p) {
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  }
  // Groups 4h + j, j from 0 to 3: their nibbles with bits 2j and 2j + 1 of the pairs above them.
  static __m256i six_bits(__m256i nibbles, __m256i pairs, int j) {
    const __m256i upper = j < 2 ? _mm256_slli_epi16(pairs, 4 - 2 * j) : _mm256_srli_epi16(pairs, 2 * j - 4);
    return _mm256_or_si256(nibbles, _mm256_and_si256(upper, _mm256_set1_epi8(0x30)));
  }

  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t* half_sums, std::size_t stride,
                      __m256i* sums) {
    const __m256i scales[2] = {load_scales(p), load_scales(p + 8)};
    const __m256i scale_pair =
        _mm256_or_si256(_mm256_and_si256(scales[0], _mm256_set1_epi32(0xffff)), _mm256_slli_epi32(scales[1], 16));
    for (int m = 0; m < M; ++m) {
      std::int32_t two;
      __builtin_memcpy(&two, half_sums + m * (stride / 16), sizeof(two));
      const __m256i offset = _mm256_slli_epi32(_mm256_madd_epi16(scale_pair, _mm256_set1_epi32(two)), 5);
      sums[m] = _mm256_sub_epi32(_mm256_setzero_si256(), offset);
    }
    const std::byte* nibbles = p + kSubScalesSize;
#pragma clang loop unroll(full)
    for (int half = 0; half < 2; ++half) {
      const __m256i scale = both_halves(scales[half]);
      const __m256i pairs = load_bytes(nibbles + kNibblesSize + 32 * half);
#pragma clang loop unroll(full)
      for (int j = 0; j < 4; j += 2) {
        const __m256i packed[2] = {load_bytes(nibbles + 32 * j), load_bytes(nibbles + 32 * j + 32)};
        const __m256i first = six_bits(half == 0 ? low_nibbles(packed[0]) : high_nibbles(packed[0]), pairs, j);
        const __m256i second = six_bits(half == 0 ? low_nibbles(packed[1]) : high_nibbles(packed[1]), pairs, j + 1);
        const auto group = static_cast<std::uint32_t>(4 * half + j);
        for (int m = 0; m < M; ++m) {
          const std::int8_t* row = quants + m * stride;
          const __m256i pair_sums = _mm256_add_epi16(_mm256_maddubs_epi16(first, broadcast_group(row, group)),
                                                     _mm256_maddubs_epi16(second, broadcast_group(row, group + 1)));
          sums[m] = _mm256_add_epi32(sums[m], _mm256_madd_epi16(pair_sums, scale));
        }
      }
    }
  }
};

}  // namespace stint::kernels::avx2
