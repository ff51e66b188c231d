#include "engine/sample/truncation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/sample/blocks.h"
#include "platform/base/assert.h"

namespace stint::sample {

namespace {

// A weight's bin: its exponent and two bits of mantissa, so a bin spans at most a factor of 1.25. Weights are at most 1
// (allow a last-bit excess), whose bin is 127 * 4.
constexpr std::uint32_t kBinShift = 21;
constexpr std::size_t kBinCount = 128 * 4;

// Leaves room for the rounding of sums.
constexpr double kFloorMargin = 0.5;

std::size_t bin_of(float weight) {
  return std::min<std::size_t>(std::bit_cast<std::uint32_t>(weight) >> kBinShift, kBinCount - 1);
}

// Of the bin's weights (largest first, then lowest index) excludes those after `mass` has been reached.
void cut_bin(std::span<float> weights, std::vector<std::uint32_t>& indexes, double mass) {
  std::sort(indexes.begin(), indexes.end(), [weights](std::uint32_t a, std::uint32_t b) {
    return weights[a] > weights[b] || (weights[a] == weights[b] && a < b);
  });
  double sum = 0;
  std::size_t kept = 0;
  while (kept < indexes.size() && (kept == 0 || sum < mass)) sum += static_cast<double>(weights[indexes[kept++]]);
  for (; kept < indexes.size(); ++kept) weights[indexes[kept]] = 0;
}

double total(std::span<const float> weights) {
  double sum = 0;
  for (std::size_t block = 0; block < block_count(weights.size()); ++block)
    sum += static_cast<double>(block_sum(block_of(weights, block)));
  return sum;
}

void exclude_below(std::span<float> weights, float floor) {
  for (float& weight : weights) weight = weight < floor ? 0.0f : weight;
}

}  // namespace

void apply_min_p(std::span<float> weights, float min_p) {
  exclude_below(weights, std::min(min_p, 1.0f));
}

void apply_top_p(std::span<float> weights, float top_p, std::vector<std::uint32_t>& scratch) {
  const double sum = total(weights);
  double missing = std::max(0.0, static_cast<double>(top_p)) * sum;
  // All weights below this one together hold less than 1 - top_p of the mass, so none of them is needed.
  exclude_below(weights, static_cast<float>((sum - missing) / static_cast<double>(weights.size()) * kFloorMargin));

  scratch.clear();
  std::array<double, kBinCount> masses{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    scratch.push_back(static_cast<std::uint32_t>(i));
    masses[bin_of(weights[i])] += static_cast<double>(weights[i]);
  }
  std::size_t bin = kBinCount - 1;
  while (bin > 0 && (masses[bin] == 0 || masses[bin] < missing)) missing -= masses[bin--];
  for (const std::uint32_t i : scratch)
    if (bin_of(weights[i]) < bin) weights[i] = 0;
  std::erase_if(scratch, [&](std::uint32_t i) { return weights[i] == 0 || bin_of(weights[i]) != bin; });
  cut_bin(weights, scratch, missing);
}

std::size_t draw(std::span<const float> weights, double unit) {
  const double target = unit * total(weights);
  double before = 0;  // mass of the blocks passed
  double mass = 0;    // of the chosen one
  std::size_t chosen = 0;
  for (std::size_t block = 0; block < block_count(weights.size()) && before + mass <= target; ++block) {
    const auto next = static_cast<double>(block_sum(block_of(weights, block)));
    if (next == 0) continue;
    before += mass;
    mass = next;
    chosen = block;
  }
  // Within the block the sum is formed in another order; where rounding keeps it from the target, its last one is
  // meant.
  const std::span<const float> values = block_of(weights, chosen);
  std::size_t last = values.size();
  for (std::size_t i = 0; i < values.size() && before <= target; ++i) {
    if (values[i] == 0) continue;
    last = i;
    before += static_cast<double>(values[i]);
  }
  STINT_ASSERT(last < values.size());
  return chosen * kBlock + last;
}

}  // namespace stint::sample
