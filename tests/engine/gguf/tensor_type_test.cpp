#include "engine/gguf/tensor_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::gguf {
namespace {

TEST(TensorType, sizes_are_those_of_the_format) {
  EXPECT_EQ(block_size(TensorType::f32), 4U);
  EXPECT_EQ(block_count(TensorType::bf16), 1U);
  EXPECT_EQ(block_size(TensorType::q4_0), 18U);
  EXPECT_EQ(block_size(TensorType::q5_1), 24U);
  EXPECT_EQ(block_count(TensorType::q8_0), 32U);
  EXPECT_EQ(block_count(TensorType::q6_k), 256U);
  EXPECT_EQ(block_size(TensorType::q6_k), 210U);
}

TEST(TensorType, is_found_by_id_and_by_name) {
  EXPECT_EQ(tensor_type_from_id(12), TensorType::q4_k);
  EXPECT_EQ(tensor_type_from_id(20), std::nullopt);
  EXPECT_EQ(tensor_type_from_name("q4_K"), TensorType::q4_k);
  EXPECT_EQ(tensor_type_from_name("Q4"), std::nullopt);
}

TEST(TensorType, describes_ids_it_does_not_support) {
  EXPECT_EQ(describe_tensor_type(8), "Q8_0 (8)");
  EXPECT_EQ(describe_tensor_type(20), "IQ4_NL (20)");
  EXPECT_EQ(describe_tensor_type(4711), "unknown (4711)");
  EXPECT_THAT(supported_tensor_types(), ::testing::HasSubstr("Q5_K, Q6_K"));
}

}  // namespace
}  // namespace stint::gguf
