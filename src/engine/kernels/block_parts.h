// BlockParts: one row's block of 32 columns taken apart into whole numbers and scales, the common form between the
// layouts of model files and packed panels. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/packed_layout.h"
#include "engine/kernels/weight_type.h"

namespace stint::kernels {

struct BlockParts {
  std::array<std::uint8_t, kBlockColumns> quants{};  // s8: two's complement
  std::uint16_t scale = 0;                           // f16 d
  std::uint16_t minimum = 0;                         // f16 m; K types: of their 256 columns, like the scale
  std::array<std::uint8_t, 2> sub_scales{};          // u4_k, u5_k: s and t; u6_k: s of either half
};

// From a model file: block `index` (of 32 columns) of a row of a quantised type.
BlockParts parts_from_file(WeightType type, const std::byte* row, std::uint32_t index);

// From and to row `row` (0-7) of a panel.
BlockParts parts_from_panel(PackedLayout layout, const std::byte* panel, std::uint32_t row, std::uint32_t index);
void parts_to_panel(PackedLayout layout, const BlockParts& parts, std::byte* panel, std::uint32_t row,
                    std::uint32_t index);

// Weight = quant * scale + minimum.
struct BlockScale {
  float scale = 0;
  float minimum = 0;
};
// Of columns 16 * half and following.
BlockScale block_scale(PackedLayout layout, const BlockParts& parts, std::uint32_t half);

}  // namespace stint::kernels
