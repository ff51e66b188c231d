#include "engine/sample/candidates.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>

namespace stint::sample {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr std::size_t kLanes = 8;
// 64 floats are four cache lines: small enough that looking again into a block that holds a winner costs little.
constexpr std::size_t kBlock = 64;

// Lanes instead of one running maximum: the compiler may not reorder comparisons of floats, but it may run eight
// independent ones side by side. A NaN compares false and is passed over.
float maximum(std::span<const float> values) {
  std::array<float, kLanes> lanes;
  lanes.fill(kLowest);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float value = values[i + lane];
      lanes[lane] = value > lanes[lane] ? value : lanes[lane];
    }
  }
  float best = kLowest;
  for (const float value : lanes) best = value > best ? value : best;
  for (; i < values.size(); ++i) best = values[i] > best ? values[i] : best;
  return best;
}

std::span<const float> block_of(std::span<const float> logits, std::size_t block) {
  const std::size_t begin = block * kBlock;
  return logits.subspan(begin, std::min(kBlock, logits.size() - begin));
}

}  // namespace

std::optional<Candidate> best_candidate(std::span<const float> logits) {
  Candidate best{0, kLowest};
  for (std::size_t block = 0; block * kBlock < logits.size(); ++block) {
    const std::span<const float> values = block_of(logits, block);
    const float peak = maximum(values);
    if (!(peak > best.logit)) continue;
    const auto at = std::find(values.begin(), values.end(), peak) - values.begin();
    best = {static_cast<TokenId>(block * kBlock + static_cast<std::size_t>(at)), peak};
  }
  if (best.logit == kLowest) return std::nullopt;
  return best;
}

void select_best(std::span<const float> logits, std::size_t count, std::vector<float>& block_maxima,
                 std::vector<Candidate>& out) {
  out.clear();
  if (count == 0) return;
  block_maxima.clear();
  for (std::size_t block = 0; block * kBlock < logits.size(); ++block)
    block_maxima.push_back(maximum(block_of(logits, block)));

  // At least `count` tokens reach the count-th largest block maximum, so nothing below it can be among the best.
  float floor = kLowest;
  if (count < block_maxima.size()) {
    std::vector<float> ranked(block_maxima);
    const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(ranked.begin(), last, ranked.end(), std::greater<>());
    floor = *last;
  }
  for (std::size_t block = 0; block < block_maxima.size(); ++block) {
    if (block_maxima[block] < floor || block_maxima[block] == kLowest) continue;
    const std::span<const float> values = block_of(logits, block);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= floor && values[i] > kLowest)
        out.push_back({static_cast<TokenId>(block * kBlock + i), values[i]});
    }
  }
  if (out.size() <= count) return;
  std::nth_element(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), out.end(), ranks_before);
  out.resize(count);
}

}  // namespace stint::sample
