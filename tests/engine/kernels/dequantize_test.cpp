#include <gtest/gtest.h>

#include <vector>

#include "engine/kernels/half.h"
#include "engine/kernels/k_scales.h"
#include "engine/kernels/weight_type.h"
#include "tests/engine/kernels/random_weights.h"

namespace stint::kernels {
namespace {

std::vector<float> values(WeightType type, const std::vector<std::byte>& block) {
  std::vector<float> out(block_shape(type).count);
  dequantize_row(type, block.data(), block_shape(type).count, out.data());
  return out;
}

std::vector<std::byte> zero_block(WeightType type) {
  return std::vector<std::byte>(block_shape(type).size);
}

TEST(Dequantize, q4_0_has_its_zero_at_eight) {
  std::vector<std::byte> block = zero_block(WeightType::q4_0);
  put_half(block.data(), 0.5f);
  block[2] = std::byte{0x9f};  // low nibble 15: element 0; high nibble 9: element 16
  const std::vector<float> out = values(WeightType::q4_0, block);
  EXPECT_EQ(out[0], 3.5f);
  EXPECT_EQ(out[16], 0.5f);
  EXPECT_EQ(out[1], -4.0f);
}

TEST(Dequantize, q4_1_adds_its_minimum) {
  std::vector<std::byte> block = zero_block(WeightType::q4_1);
  put_half(block.data(), 0.5f);
  put_half(block.data() + 2, -1.0f);
  block[4 + 15] = std::byte{0x2f};
  const std::vector<float> out = values(WeightType::q4_1, block);
  EXPECT_EQ(out[15], 6.5f);
  EXPECT_EQ(out[31], 0.0f);
  EXPECT_EQ(out[0], -1.0f);
}

TEST(Dequantize, q5_takes_the_fifth_bit_of_each_element) {
  std::vector<std::byte> block = zero_block(WeightType::q5_0);
  put_half(block.data(), 1.0f);
  block[2] = std::byte{0x02};  // element 1
  block[4] = std::byte{0x04};  // element 18
  block[6 + 2] = std::byte{0x30};
  const std::vector<float> out = values(WeightType::q5_0, block);
  EXPECT_EQ(out[0], -16.0f);
  EXPECT_EQ(out[1], 0.0f);
  EXPECT_EQ(out[18], 3.0f);

  block = zero_block(WeightType::q5_1);
  put_half(block.data(), 2.0f);
  put_half(block.data() + 2, 1.0f);
  block[7] = std::byte{0x80};  // element 31
  EXPECT_EQ(values(WeightType::q5_1, block)[31], 33.0f);
}

TEST(Dequantize, q8_0_is_signed) {
  std::vector<std::byte> block = zero_block(WeightType::q8_0);
  put_half(block.data(), 0.25f);
  block[2] = std::byte{0x80};
  block[33] = std::byte{0x7f};
  const std::vector<float> out = values(WeightType::q8_0, block);
  EXPECT_EQ(out[0], -32.0f);
  EXPECT_EQ(out[31], 31.75f);
}

TEST(Dequantize, k_scales_are_put_together_from_two_places) {
  std::byte scales[12] = {};
  scales[1] = std::byte{0xc0 | 21};  // sub-block 1 whole; upper bits of 5's scale
  scales[5] = std::byte{0x40 | 42};  // minimum of 1; upper bits of 5's minimum
  scales[9] = std::byte{0x9a};       // low nibbles of 5: scale 10, minimum 9
  EXPECT_EQ(k_scale(scales, 1).scale, 21);
  EXPECT_EQ(k_scale(scales, 1).minimum, 42);
  EXPECT_EQ(k_scale(scales, 5).scale, 10 + (3 << 4));
  EXPECT_EQ(k_scale(scales, 5).minimum, 9 + (1 << 4));
}

TEST(Dequantize, q4_k_and_q5_k_scale_each_sub_block) {
  std::vector<std::byte> block = zero_block(WeightType::q4_k);
  put_half(block.data(), 1.0f);
  put_half(block.data() + 2, 0.5f);
  block[4 + 1] = std::byte{3};   // scale of sub-block 1
  block[4 + 5] = std::byte{10};  // minimum of sub-block 1
  block[16 + 4] = std::byte{0x70};
  std::vector<float> out = values(WeightType::q4_k, block);
  EXPECT_EQ(out[32 + 4], 7 * 3 - 5.0f);
  EXPECT_EQ(out[32], -5.0f);
  EXPECT_EQ(out[0], 0.0f);

  block = zero_block(WeightType::q5_k);
  put_half(block.data(), 1.0f);
  block[4 + 1] = std::byte{2};
  block[16 + 4] = std::byte{0x02};  // fifth bit of element 4 of sub-block 1
  EXPECT_EQ(values(WeightType::q5_k, block)[32 + 4], 32.0f);
}

TEST(Dequantize, q6_k_has_sixteen_signed_scales) {
  std::vector<std::byte> block = zero_block(WeightType::q6_k);
  put_half(block.data() + 208, 0.5f);
  block[192] = std::byte{2};
  block[192 + 15] = std::byte{0xff};  // -1, of the last 16 elements
  block[0] = std::byte{0x05};         // element 0, low nibble
  block[128] = std::byte{0x02};       // and its upper bits
  block[64 + 63] = std::byte{0x10};   // element 255: half 1, quarter 3, high nibble of byte 63
  block[128 + 63] = std::byte{0xc0};  // its upper bits
  const std::vector<float> out = values(WeightType::q6_k, block);
  EXPECT_EQ(out[0], 0.5f * 2 * (5 + 32 - 32));
  EXPECT_EQ(out[1], 0.5f * 2 * -32);
  EXPECT_EQ(out[255], 0.5f * -1 * (1 + 48 - 32));
}

TEST(Dequantize, rows_are_block_after_block) {
  const RandomMatrix matrix(WeightType::q5_1, 1, 96, 7);
  const std::vector<float> row = matrix.row(0);
  std::vector<float> last(32);
  dequantize_row(matrix.type, matrix.bytes.data() + 48, 32, last.data());
  EXPECT_TRUE(std::equal(last.begin(), last.end(), row.begin() + 64));
  EXPECT_EQ(row_size(WeightType::q6_k, 512), 420u);
}

}  // namespace
}  // namespace stint::kernels
