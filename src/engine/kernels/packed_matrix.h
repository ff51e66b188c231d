// PackedMatrix: one weight matrix in the panel layout that the kernels read (packed_layout.h), without loss. Owns its
// memory. pack_panels may run on disjoint ranges at once; afterwards immutable and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/anonymous_memory.h"
#include "engine/kernels/packed_layout.h"
#include "engine/kernels/weight_type.h"

namespace stint::kernels {

PackedLayout packed_layout(WeightType type);

class PackedMatrix {
 public:
  PackedMatrix() = default;
  // Room for the matrix. Requires: column_count a multiple of the type's block.
  PackedMatrix(WeightType type, std::uint32_t row_count, std::uint32_t column_count);

  // Packs panels [begin, end) from `rows`, the matrix as it lies in a model file, `stride` bytes a row.
  void pack_panels(const std::byte* rows, std::size_t stride, std::uint32_t begin, std::uint32_t end);

  PackedLayout layout() const { return layout_; }
  std::uint32_t row_count() const { return row_count_; }
  std::uint32_t column_count() const { return column_count_; }
  std::uint32_t panel_count() const { return (row_count_ + kPanelRows - 1) / kPanelRows; }
  std::size_t panel_size() const { return panel_size_; }
  const std::byte* panel(std::uint32_t index) const { return memory_.data() + panel_size_ * index; }
  bool empty() const { return row_count_ == 0; }

  // The values of one row, for embedding lookup.
  void unpack_row(std::uint32_t row, float* out) const;

 private:
  WeightType type_ = WeightType::f32;
  PackedLayout layout_ = PackedLayout::f32;
  std::uint32_t row_count_ = 0;
  std::uint32_t column_count_ = 0;
  std::size_t panel_size_ = 0;
  AnonymousMemory memory_;
};

}  // namespace stint::kernels
