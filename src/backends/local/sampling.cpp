#include "backends/local/sampling.h"

#include <algorithm>

namespace stint::local {

engine::SamplingParams sampling_params(const chat::Sampling& sampling, std::uint64_t seed) {
  engine::SamplingParams params;
  params.temperature = sampling.temperature.value_or(params.temperature);
  params.top_k = sampling.top_k.value_or(params.top_k);
  params.top_p = sampling.top_p.value_or(params.top_p);
  params.min_p = sampling.min_p.value_or(params.min_p);
  params.repetition_penalty = sampling.repetition_penalty.value_or(params.repetition_penalty);
  params.frequency_penalty = sampling.frequency_penalty.value_or(params.frequency_penalty);
  params.presence_penalty = sampling.presence_penalty.value_or(params.presence_penalty);
  params.logit_bias = sampling.logit_bias;
  params.seed = sampling.seed.value_or(seed);
  params.logprobs = sampling.logprobs;
  params.top_logprobs = std::min(sampling.top_logprobs, engine::kTopLogprobsMax);
  return params;
}

}  // namespace stint::local
