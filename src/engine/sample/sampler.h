// Sampler: picks a sequence's next token from its logits. One per sequence, engine driver only; owns the sequence's
// random numbers and penalty counts. Scratch belongs to the caller and is shared by all samplers of a thread. The same
// seed and the same logits give the same tokens, whatever else shares the batch: a draw takes exactly one number.
//
// Order of a draw: repetition, frequency and presence penalties; logit bias (-100 and below: never; 100 and above: only
// such tokens); temperature; top-k; min-p; top-p over what is left. Ties go to the lowest id.
// NaN and -Inf are never picked; a +Inf is picked at once. Log probabilities are those of the model: the log-softmax of
// the raw logits, before penalties, bias and temperature.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/messages.h"
#include "engine/sample/candidates.h"
#include "engine/sample/penalties.h"
#include "platform/base/random.h"

namespace stint::sample {

// Below this the distribution is its peak to within single precision, so it is treated as 0: greedy.
inline constexpr float kTemperatureMin = 1e-4f;
inline constexpr float kBiasLimit = 100.0f;  // OpenAI's range of logit_bias; its ends mean never and only

struct SampleScratch {
  std::vector<float> logits;  // after penalties and bias
  std::vector<float> weights;
  std::vector<TokenId> tokens;  // of `weights`, ascending; empty: weights[i] is token i
  std::vector<float> block_maxima;
  std::vector<Candidate> candidates;
  std::vector<std::uint32_t> indexes;
};

class Sampler {
 public:
  // Requires parameters that engine::check_submission accepts.
  Sampler(const engine::SamplingParams& params, std::span<const TokenId> prompt);

  // The next token, with log probabilities if they were asked for; it counts as output from here on. nullopt if no
  // logit is above -Inf, which a healthy model never produces.
  std::optional<engine::OutputToken> sample(std::span<const float> logits, SampleScratch& scratch);

 private:
  std::span<const float> adjusted(std::span<const float> logits, SampleScratch& scratch) const;
  std::optional<TokenId> pick(std::span<const float> logits, SampleScratch& scratch);

  engine::SamplingParams params_;
  Penalties penalties_;
  base::Random random_;
};

// Fills `out.sampled` and the `top_count` best of `out.top`. Requires that out.token is set.
void report_logprobs(std::span<const float> logits, std::uint32_t top_count, SampleScratch& scratch,
                     engine::OutputToken& out);

}  // namespace stint::sample
