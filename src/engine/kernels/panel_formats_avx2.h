// What the AVX2 product needs to know of each integer layout: where a block's scales are and how its quants become
// bytes. A format F has: kHeadSize and kBlocks (a head of scales in front of so many blocks), kBlockSize, Head head(p),
// Scales scales(head, p), and product<M>(p, quants, stride, sums): for each of M rows of activations the exact integer
// dot products of 32 columns, one lane a row of weights. The layouts are drawn in packed_layout.h. Private to the
// *_avx2.cpp files; inline functions only, compiled with AVX2 instructions.
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
  static constexpr PackedLayout kLayout = PackedLayout::u4_min;
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
  static constexpr PackedLayout kLayout = PackedLayout::u5_min;
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
  static constexpr PackedLayout kLayout = PackedLayout::s8;
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
  static constexpr PackedLayout kLayout = PackedLayout::u4_k;
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
  static constexpr PackedLayout kLayout = PackedLayout::u5_k;
  static constexpr std::size_t kBlockSize = kU5KBlockSize;
  template <int M>
  static void product(const std::byte* p, const std::int8_t* quants, const std::int16_t*, std::size_t stride,
                      __m256i* sums) {
    product_u5<M>(p + kSubScalesSize, quants, stride, sums);
  }
};

// Two scales a block: they multiply the 16-bit sums while those are widened. Two groups of 6-bit weights (2 * 2 * 63 *
// 127 = 32,004) fit 16 bits. The offset of 32 is taken out with the sums of the activations: s0 * sum0 + s1 * sum1 is
// one VPMADDWD.
struct U6K {
  static constexpr PackedLayout kLayout = PackedLayout::u6_k;
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
