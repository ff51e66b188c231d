// Random matrices in the formats of model files, for the tests of this folder. Deterministic by seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/kernels/half.h"
#include "engine/kernels/weight_type.h"
#include "platform/base/random.h"

namespace stint::kernels {

inline constexpr WeightType kWeightTypes[] = {WeightType::f32,  WeightType::f16,  WeightType::bf16, WeightType::q4_0,
                                              WeightType::q4_1, WeightType::q5_0, WeightType::q5_1, WeightType::q8_0,
                                              WeightType::q4_k, WeightType::q5_k, WeightType::q6_k};

inline float random_float(base::Random& random) {
  return static_cast<float>(random.unit() * 2 - 1);
}

inline void put_half(std::byte* to, float value) {
  const std::uint16_t half = f16_from_f32(value);
  std::memcpy(to, &half, sizeof(half));
}

// Any bits are valid quants; the f16 scales are made small numbers of either sign.
inline void fill_block(WeightType type, std::byte* block, base::Random& random) {
  const std::uint32_t size = block_shape(type).size;
  for (std::uint32_t i = 0; i < size; ++i) block[i] = static_cast<std::byte>(random.below(256));
  switch (type) {
    case WeightType::f32: {
      const float value = random_float(random);
      std::memcpy(block, &value, sizeof(value));
      break;
    }
    case WeightType::f16:
      put_half(block, random_float(random));
      break;
    case WeightType::bf16:
      block[1] = static_cast<std::byte>(0x3e + random.below(2) * 0x80);  // magnitudes from 0.125 to 0.5
      break;
    case WeightType::q4_1:
    case WeightType::q5_1:
    case WeightType::q4_k:
    case WeightType::q5_k:
      put_half(block + 2, random_float(random) / 16);
      [[fallthrough]];
    case WeightType::q4_0:
    case WeightType::q5_0:
    case WeightType::q8_0:
      put_half(block, random_float(random) / 16);
      break;
    case WeightType::q6_k:
      put_half(block + 208, random_float(random) / 256);
      break;
  }
}

struct RandomMatrix {
  WeightType type;
  std::uint32_t row_count;
  std::uint32_t column_count;
  std::size_t stride;
  std::vector<std::byte> bytes;

  RandomMatrix(WeightType weight_type, std::uint32_t rows, std::uint32_t columns, std::uint64_t seed)
      : type(weight_type),
        row_count(rows),
        column_count(columns),
        stride(row_size(type, columns)),
        bytes(stride * rows) {
    base::Random random(seed);
    for (std::size_t at = 0; at < bytes.size(); at += block_shape(type).size)
      fill_block(type, bytes.data() + at, random);
  }

  std::vector<float> row(std::uint32_t index) const {
    std::vector<float> values(column_count);
    dequantize_row(type, bytes.data() + stride * index, column_count, values.data());
    return values;
  }
};

inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random_float(random);
  return values;
}

}  // namespace stint::kernels
