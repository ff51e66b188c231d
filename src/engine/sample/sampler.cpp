#include "engine/sample/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/sample/softmax.h"
#include "engine/sample/truncation.h"
#include "platform/base/assert.h"

namespace stint::sample {

namespace {

using engine::SamplingParams;

constexpr float kNever = -std::numeric_limits<float>::infinity();

void apply_bias(const SamplingParams& params, std::span<float> logits) {
  const bool exclusive = std::any_of(params.logit_bias.begin(), params.logit_bias.end(),
                                     [](const auto& entry) { return entry.second >= kBiasLimit; });
  std::vector<Candidate> forced;
  for (const auto& [token, bias] : params.logit_bias) {
    STINT_ASSERT(token < logits.size());
    if (bias >= kBiasLimit) forced.push_back({token, logits[token]});
    logits[token] = bias <= -kBiasLimit ? kNever : logits[token] + bias;
  }
  if (!exclusive) return;
  std::fill(logits.begin(), logits.end(), kNever);
  for (const Candidate& candidate : forced) logits[candidate.token] = candidate.logit;
}

// Weights of the top_k best, or of all tokens, in the order of their ids.
void weigh(std::span<const float> logits, float peak, const SamplingParams& params, SampleScratch& scratch) {
  scratch.tokens.clear();
  if (params.top_k == 0 || params.top_k >= logits.size()) {
    scratch.weights.resize(logits.size());
    softmax_weights(logits, peak, params.temperature, scratch.weights);
    return;
  }
  select_best(logits, params.top_k, scratch.block_maxima, scratch.candidates);
  std::sort(scratch.candidates.begin(), scratch.candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.token < b.token; });
  scratch.weights.clear();
  for (const Candidate& candidate : scratch.candidates) {
    scratch.tokens.push_back(candidate.token);
    scratch.weights.push_back(candidate.logit);
  }
  softmax_weights(scratch.weights, peak, params.temperature, scratch.weights);
}

}  // namespace

Sampler::Sampler(const SamplingParams& params, std::span<const TokenId> prompt)
    : params_(params), penalties_(params, prompt), random_(params.seed) {}

std::optional<engine::OutputToken> Sampler::sample(std::span<const float> logits, SampleScratch& scratch) {
  const std::optional<TokenId> token = pick(adjusted(logits, scratch), scratch);
  if (!token) return std::nullopt;
  penalties_.accept(*token);
  engine::OutputToken out;
  out.token = *token;
  if (params_.logprobs) report_logprobs(logits, params_.top_logprobs, scratch, out);
  return out;
}

std::span<const float> Sampler::adjusted(std::span<const float> logits, SampleScratch& scratch) const {
  if (!penalties_.active() && params_.logit_bias.empty()) return logits;
  scratch.logits.assign(logits.begin(), logits.end());
  penalties_.apply(scratch.logits);
  apply_bias(params_, scratch.logits);
  return scratch.logits;
}

std::optional<TokenId> Sampler::pick(std::span<const float> logits, SampleScratch& scratch) {
  const std::optional<Candidate> best = best_candidate(logits);
  if (!best) return std::nullopt;
  if (params_.temperature < kTemperatureMin) return best->token;
  const double unit = random_.unit();
  if (std::isinf(best->logit)) return best->token;
  weigh(logits, best->logit, params_, scratch);
  if (params_.min_p > 0) apply_min_p(scratch.weights, params_.min_p);
  if (params_.top_p < 1) apply_top_p(scratch.weights, params_.top_p, scratch.indexes);
  const std::size_t index = draw(scratch.weights, unit);
  return scratch.tokens.empty() ? static_cast<TokenId>(index) : scratch.tokens[index];
}

void report_logprobs(std::span<const float> logits, std::uint32_t top_count, SampleScratch& scratch,
                     engine::OutputToken& out) {
  const std::optional<Candidate> best = best_candidate(logits);
  const bool finite = best && std::isfinite(best->logit);
  const double norm = finite ? log_sum_exp(logits, best->logit) : 0;
  // JSON has no infinities: OpenAI reports what is less likely than this as -9999.
  constexpr double kLogprobMin = -9999.0;
  const auto logprob = [&](float logit) {
    const double value = static_cast<double>(logit) - norm;
    return static_cast<float>(finite && value > kLogprobMin ? std::min(value, 0.0) : kLogprobMin);
  };
  out.sampled = {out.token, logprob(logits[out.token])};
  select_best(logits, std::min(top_count, engine::kTopLogprobsMax), scratch.block_maxima, scratch.candidates);
  std::sort(scratch.candidates.begin(), scratch.candidates.end(), ranks_before);
  out.top.clear();
  for (const Candidate& candidate : scratch.candidates) out.top.push_back({candidate.token, logprob(candidate.logit)});
}

}  // namespace stint::sample
