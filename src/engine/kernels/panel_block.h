// PanelBlock: 8 rows by 32 columns of a packed panel taken apart: a byte a weight in the order of the vectors of
// packed_layout.h, and the scales. What packing writes, and what embedding lookup and the portable kernels read. Pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/block_parts.h"
#include "engine/kernels/packed_layout.h"

namespace stint::kernels {

struct PanelBlock {
  std::uint8_t quants[kBlockColumns * kPanelRows] = {};  // [group of 4 columns][row][column of the group]
  std::uint16_t scales[kPanelRows] = {};                 // f16 d
  std::uint16_t minimums[kPanelRows] = {};               // f16 m
  std::uint8_t sub_scales[2][kPanelRows] = {};           // u4_k, u5_k: s and t; u6_k: s of either half
};

void set_row(PanelBlock& block, std::uint32_t row, const BlockParts& parts);

// Block `index` of a panel.
PanelBlock read_block(PackedLayout layout, const std::byte* panel, std::uint32_t index);
// Requires: the place holds zeros.
void write_block(PackedLayout layout, const PanelBlock& block, std::byte* panel, std::uint32_t index);

// Weight = quant * scale + minimum.
struct RowScale {
  float scale = 0;
  float minimum = 0;
};
// Of one row and columns 16 * half and following.
RowScale row_scale(PackedLayout layout, const PanelBlock& block, std::uint32_t row, std::uint32_t half);

}  // namespace stint::kernels
