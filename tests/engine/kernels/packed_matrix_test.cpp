#include "engine/kernels/packed_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/kernels/anonymous_memory.h"
#include "engine/kernels/block_parts.h"
#include "engine/kernels/panel_block.h"
#include "tests/engine/kernels/random_weights.h"

namespace stint::kernels {
namespace {

PackedMatrix packed(const RandomMatrix& matrix) {
  PackedMatrix result(matrix.type, matrix.row_count, matrix.column_count);
  const std::uint32_t half = result.panel_count() / 2;
  result.pack_panels(matrix.bytes.data(), matrix.stride, half, result.panel_count());
  result.pack_panels(matrix.bytes.data(), matrix.stride, 0, half);
  return result;
}

TEST(PackedMatrix, gives_back_every_value_of_every_type) {
  for (const WeightType type : kWeightTypes) {
    const RandomMatrix matrix(type, 21, 512, 11);
    const PackedMatrix result = packed(matrix);
    std::vector<float> row(matrix.column_count);
    for (std::uint32_t i = 0; i < matrix.row_count; ++i) {
      result.unpack_row(i, row.data());
      const std::vector<float> expected = matrix.row(i);
      for (std::uint32_t column = 0; column < matrix.column_count; ++column)
        ASSERT_NEAR(row[column], expected[column], 2e-6 * (1 + std::fabs(expected[column])))
            << to_string(type) << " row " << i << " column " << column;
    }
  }
}

TEST(PackedMatrix, parts_survive_the_panel_bit_for_bit) {
  for (const WeightType type : kWeightTypes) {
    if (is_dense(packed_layout(type))) continue;
    const RandomMatrix matrix(type, 8, 512, 12);
    const PackedMatrix result = packed(matrix);
    for (std::uint32_t index = 0; index < 16; ++index) {
      PanelBlock expected;
      for (std::uint32_t row = 0; row < 8; ++row)
        set_row(expected, row, parts_from_file(type, matrix.bytes.data() + matrix.stride * row, index));
      const PanelBlock block = read_block(result.layout(), result.panel(0), index);
      ASSERT_EQ(std::memcmp(&block, &expected, sizeof(block)), 0) << to_string(type);
    }
  }
}

TEST(PackedMatrix, takes_no_more_memory_than_the_file_needs_and_a_minimum) {
  EXPECT_EQ(panel_size(PackedLayout::u4_min, 576), 8 * row_size(WeightType::q4_1, 576));
  EXPECT_EQ(panel_size(PackedLayout::u5_min, 576), 8 * row_size(WeightType::q5_1, 576));
  EXPECT_EQ(panel_size(PackedLayout::s8, 576), 8 * row_size(WeightType::q8_0, 576));
  EXPECT_EQ(panel_size(PackedLayout::u6_k, 512), 8 * row_size(WeightType::q6_k, 512));
  EXPECT_LE(panel_size(PackedLayout::u4_k, 512), 8 * row_size(WeightType::q4_k, 512) * 103 / 100);
  EXPECT_LE(panel_size(PackedLayout::u5_k, 512), 8 * row_size(WeightType::q5_k, 512) * 103 / 100);
}

TEST(AnonymousMemory, starts_as_zeros_and_moves) {
  AnonymousMemory memory(5000);
  EXPECT_EQ(memory.size(), 5000u);
  for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory.data()[i], std::byte{0});
  memory.data()[4999] = std::byte{7};
  const AnonymousMemory moved = std::move(memory);
  EXPECT_EQ(moved.data()[4999], std::byte{7});
  EXPECT_EQ(AnonymousMemory(0).size(), 0u);
}

}  // namespace
}  // namespace stint::kernels
