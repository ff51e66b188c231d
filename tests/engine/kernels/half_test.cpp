#include "engine/kernels/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stint::kernels {
namespace {

TEST(Half, every_f16_survives_the_way_through_f32) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = f32_from_f16(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(f32_from_f16(f16_from_f32(value))));
    } else {
      EXPECT_EQ(f16_from_f32(value), half);
    }
  }
}

TEST(Half, knows_landmarks) {
  EXPECT_EQ(f32_from_f16(0x3c00), 1.0f);
  EXPECT_EQ(f32_from_f16(0xc000), -2.0f);
  EXPECT_EQ(f32_from_f16(0x0001), 0x1p-24f);
  EXPECT_EQ(f32_from_f16(0x7bff), 65504.0f);
  EXPECT_EQ(f32_from_f16(0x7c00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(f32_from_bf16(0x3f80), 1.0f);
}

TEST(Half, rounds_to_nearest_even) {
  EXPECT_EQ(f16_from_f32(1.0f + 0x1p-11f), 0x3c00);             // half way: down to even
  EXPECT_EQ(f16_from_f32(1.0f + 3 * 0x1p-11f), 0x3c02);         // half way: up to even
  EXPECT_EQ(f16_from_f32(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);  // above half way
  EXPECT_EQ(f16_from_f32(0x1p-25f), 0x0000);                    // half the smallest subnormal
  EXPECT_EQ(f16_from_f32(0x1.8p-25f), 0x0001);
  EXPECT_EQ(f16_from_f32(65519.0f), 0x7bff);
  EXPECT_EQ(f16_from_f32(65520.0f), 0x7c00);
  EXPECT_EQ(f16_from_f32(-1e30f), 0xfc00);
}

}  // namespace
}  // namespace stint::kernels
