// WeightType: the formats of weights that the kernels understand, as they lie in a model file, and how to read one row.
// Pure functions, thread-safe. Layouts: ggml's block_* types; drawn in dequantize.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stint::kernels {

enum class WeightType : std::uint8_t { f32, f16, bf16, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k };

// Consecutive elements of a row stored together, and the bytes of such a block.
struct BlockShape {
  std::uint32_t count = 0;
  std::uint32_t size = 0;
};

BlockShape block_shape(WeightType type);
std::string_view to_string(WeightType type);

// Bytes of a row of `count` elements. Requires: a multiple of the block's count.
std::size_t row_size(WeightType type, std::uint32_t count);

// Exact values of one row. `row` may be unaligned.
void dequantize_row(WeightType type, const std::byte* row, std::uint32_t count, float* out);

}  // namespace stint::kernels
