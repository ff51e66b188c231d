#include "engine/sample/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace stint::sample {
namespace {

TEST(Blocks, cover_every_value_once) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 200U}) {
    std::vector<float> values(size);
    std::iota(values.begin(), values.end(), 1.0f);
    float sum = 0;
    float best = 0;
    for (std::size_t block = 0; block < block_count(size); ++block) {
      sum += block_sum(block_of(values, block));
      best = std::max(best, block_maximum(block_of(values, block)));
    }
    EXPECT_EQ(sum, static_cast<float>(size * (size + 1) / 2));
    EXPECT_EQ(best, static_cast<float>(size));
  }
}

TEST(Blocks, maximum_passes_over_nan) {
  const std::vector<float> nothing(9, std::nanf(""));
  EXPECT_EQ(block_maximum(nothing), -INFINITY);
  std::vector<float> values(9, std::nanf(""));
  values[8] = -5;
  EXPECT_EQ(block_maximum(values), -5);
}

}  // namespace
}  // namespace stint::sample
