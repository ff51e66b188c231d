#include "engine/kernels/packed_matrix.h"

#include <algorithm>
#include <cstring>

#include "engine/kernels/panel_block.h"

namespace stint::kernels {

namespace {

std::size_t element_size(PackedLayout layout) {
  return layout == PackedLayout::f32 ? 4 : 2;
}

void pack_dense_row(std::size_t size, const std::byte* row, std::uint32_t columns, std::byte* panel,
                    std::uint32_t lane) {
  for (std::size_t column = 0; column < columns; ++column)
    std::memcpy(panel + (column * kPanelRows + lane) * size, row + column * size, size);
}

void unpack_dense_row(PackedLayout layout, const std::byte* panel, std::uint32_t lane, std::uint32_t columns,
                      float* out) {
  const std::size_t size = element_size(layout);
  const WeightType type = layout == PackedLayout::f32   ? WeightType::f32
                          : layout == PackedLayout::f16 ? WeightType::f16
                                                        : WeightType::bf16;
  for (std::size_t column = 0; column < columns; ++column)
    dequantize_row(type, panel + (column * kPanelRows + lane) * size, 1, out + column);
}

}  // namespace

PackedLayout packed_layout(WeightType type) {
  switch (type) {
    case WeightType::f32:
      return PackedLayout::f32;
    case WeightType::f16:
      return PackedLayout::f16;
    case WeightType::bf16:
      return PackedLayout::bf16;
    case WeightType::q4_0:
    case WeightType::q4_1:
      return PackedLayout::u4_min;
    case WeightType::q5_0:
    case WeightType::q5_1:
      return PackedLayout::u5_min;
    case WeightType::q8_0:
      return PackedLayout::s8;
    case WeightType::q4_k:
      return PackedLayout::u4_k;
    case WeightType::q5_k:
      return PackedLayout::u5_k;
    case WeightType::q6_k:
      return PackedLayout::u6_k;
  }
  return PackedLayout::f32;
}

PackedMatrix::PackedMatrix(WeightType type, std::uint32_t row_count, std::uint32_t column_count)
    : type_(type),
      layout_(packed_layout(type)),
      row_count_(row_count),
      column_count_(column_count),
      panel_size_(kernels::panel_size(layout_, column_count)),
      memory_(panel_size_ * panel_count()) {}

void PackedMatrix::pack_panels(const std::byte* rows, std::size_t stride, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t index = begin; index < end; ++index) {
    std::byte* panel = memory_.data() + panel_size_ * index;
    const std::byte* first = rows + stride * kPanelRows * index;
    const std::uint32_t row_count = std::min(kPanelRows, row_count_ - index * kPanelRows);
    if (is_dense(layout_)) {
      for (std::uint32_t row = 0; row < row_count; ++row)
        pack_dense_row(element_size(layout_), first + stride * row, column_count_, panel, row);
      continue;
    }
    for (std::uint32_t block_index = 0; block_index < column_count_ / kBlockColumns; ++block_index) {
      PanelBlock block;
      for (std::uint32_t row = 0; row < row_count; ++row)
        set_row(block, row, parts_from_file(type_, first + stride * row, block_index));
      write_block(layout_, block, panel, block_index);
    }
  }
}

void PackedMatrix::unpack_row(std::uint32_t row, float* out) const {
  const std::byte* source = panel(row / kPanelRows);
  const std::uint32_t lane = row % kPanelRows;
  if (is_dense(layout_)) return unpack_dense_row(layout_, source, lane, column_count_, out);
  for (std::uint32_t index = 0; index < column_count_ / kBlockColumns; ++index) {
    const PanelBlock block = read_block(layout_, source, index);
    const RowScale scales[2] = {row_scale(layout_, block, lane, 0), row_scale(layout_, block, lane, 1)};
    for (std::uint32_t column = 0; column < kBlockColumns; ++column) {
      const std::uint8_t quant = block.quants[(column / 4 * kPanelRows + lane) * 4 + column % 4];
      const RowScale& s = scales[column / 16];
      const int value = layout_ == PackedLayout::s8 ? static_cast<std::int8_t>(quant) : quant;
      *out++ = static_cast<float>(value) * s.scale + s.minimum;
    }
  }
}

}  // namespace stint::kernels
