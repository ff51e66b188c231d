// BlockParts: one row's block of 32 columns of a quantised type, taken out of a model file: whole numbers and scales,
// as they go into packed panels. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/packed_layout.h"
#include "engine/kernels/weight_type.h"

namespace stint::kernels {

struct BlockParts {
  std::array<std::uint8_t, kBlockColumns> quants{};  // Q8_0: two's complement
  std::uint16_t scale = 0;                           // f16 d
  std::uint16_t minimum = 0;                 // f16 m; of K types, like the scale, of all 256 columns around the block
  std::array<std::uint8_t, 2> sub_scales{};  // Q4_K, Q5_K: scale and minimum; Q6_K: scales of either half
};

// Block `index` (of 32 columns) of a row.
BlockParts parts_from_file(WeightType type, const std::byte* row, std::uint32_t index);

}  // namespace stint::kernels
