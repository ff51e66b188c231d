#include "engine/sample/truncation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "platform/base/assert.h"

namespace stint::sample {

namespace {

// A weight's bin: its exponent and two bits of mantissa, so a bin spans at most a factor of 1.25. Weights are at most 1
// (allow a last-bit excess), whose bin is 127 * 4.
constexpr std::uint32_t kBinShift = 21;
constexpr std::size_t kBinCount = 128 * 4;

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
  for (const float weight : weights) sum += static_cast<double>(weight);
  return sum;
}

}  // namespace

void apply_min_p(std::span<float> weights, float min_p) {
  const float floor = std::min(min_p, 1.0f) * *std::max_element(weights.begin(), weights.end());
  for (float& weight : weights) weight = weight < floor ? 0.0f : weight;
}

void apply_top_p(std::span<float> weights, float top_p, std::vector<std::uint32_t>& scratch) {
  std::array<double, kBinCount> masses{};
  for (const float weight : weights) masses[bin_of(weight)] += static_cast<double>(weight);
  double sum = 0;
  for (const double mass : masses) sum += mass;

  double missing = std::max(0.0, static_cast<double>(top_p)) * sum;
  std::size_t bin = kBinCount - 1;
  while (bin > 0 && (masses[bin] == 0 || masses[bin] < missing)) missing -= masses[bin--];

  scratch.clear();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const std::size_t own = bin_of(weights[i]);
    if (own == bin) scratch.push_back(static_cast<std::uint32_t>(i));
    if (own < bin) weights[i] = 0;
  }
  cut_bin(weights, scratch, missing);
}

std::size_t draw(std::span<const float> weights, double unit) {
  const double target = unit * total(weights);
  double sum = 0;
  std::size_t last = weights.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    last = i;
    sum += static_cast<double>(weights[i]);
    if (sum > target) break;
  }
  STINT_ASSERT(last < weights.size());
  return last;
}

}  // namespace stint::sample
