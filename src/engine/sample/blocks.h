// Blocks: reductions over runs of 64 floats, in eight lanes, so that the compiler makes vector code of them although it
// may not reorder arithmetic on floats. One fixed order of operations on every machine. Pure; thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace stint::sample {

// Four cache lines: small enough that looking again into a block that holds a winner costs little.
inline constexpr std::size_t kBlock = 64;

inline std::size_t block_count(std::size_t size) {
  return (size + kBlock - 1) / kBlock;
}

inline std::span<const float> block_of(std::span<const float> values, std::size_t block) {
  const std::size_t begin = block * kBlock;
  return values.subspan(begin, std::min(kBlock, values.size() - begin));
}

template <typename Combine>
float reduce_block(std::span<const float> values, float start, Combine combine) {
  constexpr std::size_t kLanes = 8;
  std::array<float, kLanes> lanes;
  lanes.fill(start);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = combine(lanes[lane], values[i + lane]);
  float result = start;
  for (const float value : lanes) result = combine(result, value);
  for (; i < values.size(); ++i) result = combine(result, values[i]);
  return result;
}

// -Inf if there is nothing but NaN and -Inf.
inline float block_maximum(std::span<const float> values) {
  return reduce_block(values, -std::numeric_limits<float>::infinity(),
                      [](float best, float value) { return value > best ? value : best; });
}

inline float block_sum(std::span<const float> values) {
  return reduce_block(values, 0.0f, [](float sum, float value) { return sum + value; });
}

}  // namespace stint::sample
