#include "engine/sample/candidates.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>

#include "engine/sample/blocks.h"

namespace stint::sample {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

}  // namespace

std::optional<Candidate> best_candidate(std::span<const float> logits) {
  Candidate best{0, kLowest};
  for (std::size_t block = 0; block < block_count(logits.size()); ++block) {
    const std::span<const float> values = block_of(logits, block);
    const float peak = block_maximum(values);
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
  for (std::size_t block = 0; block < block_count(logits.size()); ++block)
    block_maxima.push_back(block_maximum(block_of(logits, block)));

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
