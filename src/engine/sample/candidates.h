// Selection over one row of logits without sorting it: the best token, the best few. The order everywhere in this
// module: larger logit first, of equal logits the lower id; NaN and -Inf are never candidates. Pure functions;
// thread-safe. Cost: one vectorised pass over the row for block maxima, then work only in blocks that can hold a
// winner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/messages.h"

namespace stint::sample {

using engine::TokenId;

struct Candidate {
  TokenId token = 0;
  float logit = 0;
};

constexpr bool ranks_before(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

// nullopt if no logit is above -Inf.
std::optional<Candidate> best_candidate(std::span<const float> logits);

// The `count` best (fewer if there are fewer candidates) into `out`, in no particular order. `block_maxima` is scratch.
// O(vocabulary + count * block size).
void select_best(std::span<const float> logits, std::size_t count, std::vector<float>& block_maxima,
                 std::vector<Candidate>& out);

}  // namespace stint::sample
