// Penalties: what a sequence's own history does to its next logits. One per sequence, engine driver only. Owns counts
// of the tokens seen; memory is bounded by the sequence's length.
//   repetition (Keskar et al., 2019): tokens among the last `penalty_window` of prompt and output: a positive logit is
//     divided by it, a negative one multiplied;
//   frequency, presence (OpenAI): every token of the output so far: logit -= count * frequency + presence.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/messages.h"

namespace stint::sample {

class Penalties {
 public:
  Penalties(const engine::SamplingParams& params, std::span<const engine::TokenId> prompt);

  // False if apply() would change nothing, now and ever.
  bool active() const { return repeats_ || counts_outputs_; }
  // Only logits of tokens in the history are touched: O(distinct tokens).
  void apply(std::span<float> logits) const;
  // `token` was sampled.
  void accept(engine::TokenId token);

 private:
  void remember(engine::TokenId token);

  float repetition_;
  float frequency_;
  float presence_;
  std::size_t window_;
  bool repeats_;
  bool counts_outputs_;
  std::unordered_map<engine::TokenId, std::uint32_t> output_counts_;
  std::unordered_map<engine::TokenId, std::uint32_t> window_counts_;
  std::vector<engine::TokenId> recent_;  // ring of at most window_ tokens
  std::size_t oldest_ = 0;
};

}  // namespace stint::sample
