#include "engine/sample/penalties.h"

#include <algorithm>
#include <utility>

namespace stint::sample {

using engine::TokenId;

Penalties::Penalties(const engine::SamplingParams& params, std::span<const TokenId> prompt)
    : repetition_(params.repetition_penalty),
      frequency_(params.frequency_penalty),
      presence_(params.presence_penalty),
      window_(params.penalty_window),
      repeats_(params.repetition_penalty != 1.0f && params.penalty_window > 0),
      counts_outputs_(params.frequency_penalty != 0.0f || params.presence_penalty != 0.0f) {
  if (!repeats_) return;
  for (const TokenId token : prompt.last(std::min(window_, prompt.size()))) remember(token);
}

void Penalties::apply(std::span<float> logits) const {
  for (const auto& [token, count] : window_counts_) {
    if (token >= logits.size()) continue;
    float& logit = logits[token];
    logit = logit > 0 ? logit / repetition_ : logit * repetition_;
  }
  for (const auto& [token, count] : output_counts_) {
    if (token >= logits.size()) continue;
    logits[token] -= static_cast<float>(count) * frequency_ + presence_;
  }
}

void Penalties::accept(TokenId token) {
  if (counts_outputs_) ++output_counts_[token];
  if (repeats_) remember(token);
}

void Penalties::remember(TokenId token) {
  ++window_counts_[token];
  if (recent_.size() < window_) {
    recent_.push_back(token);
    return;
  }
  const TokenId gone = std::exchange(recent_[oldest_], token);
  oldest_ = (oldest_ + 1) % window_;
  const auto at = window_counts_.find(gone);
  if (--at->second == 0) window_counts_.erase(at);
}

}  // namespace stint::sample
