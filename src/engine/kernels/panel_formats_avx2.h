// What the AVX2 product needs to know of each integer layout: where a block's scales are and how its quants become
// bytes. A format F has: kTile (rows of activations whose sums fit the registers), kHeadSize and kBlocks (a head of
// scales in front of so many blocks), kBlockSize, kHasMinimum, Head head(p), Scales scales(head, p), and
// product<M>(p, quants, half_sums, stride, sums): for each of M rows of activations the exact integer dot products of
// 32 columns, one lane a row of weights. The layouts are drawn in packed_layout.h. Private to the *_avx2.cpp files.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "engine/kernels/packed_layout.h"

namespace stint::kernels::avx2 {

struct Scales {
  __m256 scale;  // w = scale * q + minimum
  __m256 minimum;
};
struct NoHead {};

inline __m256 load_halves(const std::byte* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
inline __m256i load_bytes(const std::byte* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline __m256i load_eight_u8(const std::byte* from) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}

// Four activations for all eight lanes.
inline __m256i broadcast_group(const std::int8_t* quants, std::uint32_t group) {
  std::int32_t four;
  __builtin_memcpy(&four, quants + 4 * group, sizeof(four));
  return _mm256_set1_epi32(four);
}

inline __m256i widen(__m256i pairs) {
  return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}
inline __m256i low_nibbles(__m256i v) {
  return _mm256_and_si256(v, _mm256_set1_epi8(15));
}
inline __m256i high_nibbles(__m256i v) {
  return low_nibbles(_mm256_srli_epi16(v, 4));
}

// Products of 16-bit sums: eight groups of 4-bit weights stay below 8 * 2 * 15 * 127 = 30,480.
template <int M>
inline void product_u4(const std::byte* nibbles, const std::int8_t* quants, std::size_t stride, __m256i* sums) {
  for (int m = 0; m < M; ++m) sums[m] = _mm256_setzero_si256();
#pragma clang loop unroll(full)
  for (std::uint32_t j = 0; j < 4; ++j) {
    const __m256i packed = load_bytes(nibbles + 32 * j);
    const __m256i low = low_nibbles(packed);
    const __m256i high = high_nibbles(packed);
    for (int m = 0; m < M; ++m) {
      const std::int8_t* row = quants + m * stride;
      sums[m] = _mm256_add_epi16(sums[m], _mm256_maddubs_epi16(low, broadcast_group(row, j)));
      sums[m] = _mm256_add_epi16(sums[m], _mm256_maddubs_epi16(high, broadcast_group(row, j + 4)));
    }
  }
  for (int m = 0; m < M; ++m) sums[m] = widen(sums[m]);
}

// 5-bit weights: after four groups (4 * 2 * 31 * 127 = 31,496) the sums must be widened.
template <int M>
inline void product_u5(const std::byte* nibbles, const std::int8_t* quants, std::size_t stride, __m256i* sums) {
  const __m256i fifths = load_bytes(nibbles + kNibblesSize);
  const __m256i fifth = _mm256_set1_epi8(16);
  for (int m = 0; m < M; ++m) sums[m] = _mm256_setzero_si256();
#pragma clang loop unroll(full)
  for (int half = 0; half < 2; ++half) {
    __m256i narrow[M];
    for (int m = 0; m < M; ++m) narrow[m] = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int i = 0; i < 2; ++i) {
      const int j = 2 * half + i;
      const __m256i packed = load_bytes(nibbles + 32 * j);
      // Bit j of a byte to bit 4 for the low group, bit j + 4 for the high one.
      const __m256i low_fifth = _mm256_and_si256(_mm256_slli_epi16(fifths, 4 - j), fifth);
      const __m256i high_fifth = _mm256_and_si256(_mm256_srli_epi16(fifths, j), fifth);
      const __m256i low = _mm256_or_si256(low_nibbles(packed), low_fifth);
      const __m256i high = _mm256_or_si256(high_nibbles(packed), high_fifth);
      for (int m = 0; m < M; ++m) {
        const std::int8_t* row = quants + m * stride;
        narrow[m] =
            _mm256_add_epi16(narrow[m], _mm256_maddubs_epi16(low, broadcast_group(row, static_cast<std::uint32_t>(j))));
        narrow[m] = _mm256_add_epi16(
            narrow[m], _mm256_maddubs_epi16(high, broadcast_group(row, static_cast<std::uint32_t>(j + 4))));
      }
    }
    for (int m = 0; m < M; ++m) sums[m] = _mm256_add_epi32(sums[m], widen(narrow[m]));
  }
}

struct U4Min {
  static constexpr std::uint32_t kTile = 4;
  static constexpr std::size_t kHeadSize = 0;
  static constexpr std::uint32_t kBlocks = 1;
  static constexpr std::size_t kBlockSize = kU4MinSize;
  static constexpr bool kHasMinimum = true;
  static NoHead head(const std::byte*) { return {}; }
  static Scales scales(NoHead, const std::byte* p) { return {load_halves(p), load_halves(p + kHalvesSize)}; }
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    product_u4<M>(p + 2 * kHalvesSize, quants, stride, sums);
  }
};

struct U5Min : U4Min {
  static constexpr std::size_t kBlockSize = kU5MinSize;
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    product_u5<M>(p + 2 * kHalvesSize, quants, stride, sums);
  }
};

// |w| times the activation with w's sign, since VPMADDUBSW wants one unsigned side; widened after every group, as two
// products of 8-bit weights fill 16 bits.
struct S8 {
  static constexpr std::uint32_t kTile = 4;
  static constexpr std::size_t kHeadSize = 0;
  static constexpr std::uint32_t kBlocks = 1;
  static constexpr std::size_t kBlockSize = kS8Size;
  static constexpr bool kHasMinimum = false;
  static NoHead head(const std::byte*) { return {}; }
  static Scales scales(NoHead, const std::byte* p) { return {load_halves(p), _mm256_setzero_ps()}; }
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    for (int m = 0; m < M; ++m) sums[m] = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (std::uint32_t group = 0; group < 8; ++group) {
      const __m256i weights = load_bytes(p + kHalvesSize + 32 * group);
      const __m256i magnitudes = _mm256_abs_epi8(weights);
      for (int m = 0; m < M; ++m) {
        const __m256i signed_activations = _mm256_sign_epi8(broadcast_group(quants + m * stride, group), weights);
        sums[m] = _mm256_add_epi32(sums[m], widen(_mm256_maddubs_epi16(magnitudes, signed_activations)));
      }
    }
  }
};

struct KHead {
  __m256 scale;
  __m256 minimum;
};

struct U4K {
  static constexpr std::uint32_t kTile = 4;
  static constexpr std::size_t kHeadSize = 2 * kHalvesSize;
  static constexpr std::uint32_t kBlocks = kSuperBlocks;
  static constexpr std::size_t kBlockSize = kU4KBlockSize;
  static constexpr bool kHasMinimum = true;
  static KHead head(const std::byte* p) {
    return {load_halves(p), _mm256_sub_ps(_mm256_setzero_ps(), load_halves(p + kHalvesSize))};
  }
  static Scales scales(const KHead& head, const std::byte* p) {
    return {_mm256_mul_ps(head.scale, _mm256_cvtepi32_ps(load_eight_u8(p))),
            _mm256_mul_ps(head.minimum, _mm256_cvtepi32_ps(load_eight_u8(p + 8)))};
  }
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    product_u4<M>(p + kSubScalesSize, quants, stride, sums);
  }
};

struct U5K : U4K {
  static constexpr std::size_t kBlockSize = kU5KBlockSize;
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    product_u5<M>(p + kSubScalesSize, quants, stride, sums);
  }
};

}  // namespace stint::kernels::avx2
