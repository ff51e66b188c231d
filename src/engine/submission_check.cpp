#include "engine/submission_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/base/limits.h"

namespace stint::engine {

namespace {

std::unexpected<Error> refuse(std::string message, std::string param) {
  return fail(ErrorKind::invalid_request, std::move(message), std::move(param));
}

Result<void> check_prompt(const Submission& submission, const SubmissionLimits& limits) {
  const std::size_t count = submission.prompt.size();
  if (count == 0) return refuse("The prompt is empty; send at least one token.", "prompt");
  const bool embed = submission.kind == Submission::Kind::embed;
  if (count + (embed ? 0 : 1) > limits.context_tokens) {
    return fail(ErrorKind::invalid_request,
                fmt::format("The prompt has {} tokens, but the model's context holds {}{}; shorten the prompt.", count,
                            limits.context_tokens, embed ? "" : ", of which the answer needs at least one"),
                {}, "context_length_exceeded");
  }
  for (const TokenId token : submission.prompt) {
    if (token >= limits.vocabulary_count)
      return refuse(fmt::format("The prompt contains token {}, but the model has {} tokens; send smaller ids.", token,
                                limits.vocabulary_count),
                    "prompt");
  }
  return {};
}

Result<void> check_range(float value, float low, float high, const char* name) {
  if (value >= low && value <= high) return {};  // false for NaN
  return refuse(fmt::format("{} is {}; send a number from {} to {}.", name, value, low, high), name);
}

Result<void> check_bias(const Submission& submission, const SubmissionLimits& limits) {
  std::vector<TokenId> tokens;
  for (const auto& [token, bias] : submission.sampling.logit_bias) {
    if (token >= limits.vocabulary_count || !std::isfinite(bias)) {
      return refuse(fmt::format("logit_bias of token {} is {}; send finite numbers for tokens below {}.", token, bias,
                                limits.vocabulary_count),
                    "logit_bias");
    }
    tokens.push_back(token);
  }
  std::sort(tokens.begin(), tokens.end());
  const auto twice = std::adjacent_find(tokens.begin(), tokens.end());
  if (twice == tokens.end()) return {};
  return refuse(fmt::format("logit_bias names token {} twice; name it once.", *twice), "logit_bias");
}

// Wider than any wire API allows: they have their own, tighter ranges.
Result<void> check_sampling(const SamplingParams& sampling) {
  constexpr float kWide = 1000.0f;
  for (const auto& [value, low, high, name] : {
           std::tuple{sampling.temperature, 0.0f, kWide, "temperature"},
           std::tuple{sampling.top_p, 0.0f, 1.0f, "top_p"},
           std::tuple{sampling.min_p, 0.0f, 1.0f, "min_p"},
           std::tuple{sampling.repetition_penalty, 0.001f, kWide, "repetition_penalty"},
           std::tuple{sampling.frequency_penalty, -kWide, kWide, "frequency_penalty"},
           std::tuple{sampling.presence_penalty, -kWide, kWide, "presence_penalty"},
       }) {
    const Result<void> checked = check_range(value, low, high, name);
    if (!checked) return checked;
  }
  if (sampling.top_logprobs <= kTopLogprobsMax) return {};
  return refuse(fmt::format("top_logprobs is {}; send at most {}.", sampling.top_logprobs, kTopLogprobsMax),
                "top_logprobs");
}

Result<void> check_stop_strings(const Submission& submission) {
  if (submission.stop_strings.size() > base::kStopStringCountMax) {
    return refuse(fmt::format("There are {} stop strings; send at most {}.", submission.stop_strings.size(),
                              base::kStopStringCountMax),
                  "stop");
  }
  for (const std::string& stop : submission.stop_strings) {
    if (stop.empty()) return refuse("A stop string is empty; leave it out.", "stop");
    if (stop.size() > base::kStopStringSizeMax)
      return refuse(fmt::format("A stop string has {} bytes; send at most {}.", stop.size(), base::kStopStringSizeMax),
                    "stop");
    // The text before a stop string is given out, so it must not end inside a character.
    const bool inside_character = (static_cast<unsigned char>(stop.front()) & 0xC0U) == 0x80;
    if (inside_character) return refuse("A stop string begins inside a character; send valid UTF-8.", "stop");
  }
  return {};
}

}  // namespace

Result<void> check_submission(const Submission& submission, const SubmissionLimits& limits) {
  if (const auto checked = check_prompt(submission, limits); !checked) return checked;
  if (submission.kind == Submission::Kind::embed) return {};
  if (submission.max_output_tokens == 0)
    return refuse("The answer may have 0 tokens; allow at least one.", "max_tokens");
  if (const auto checked = check_sampling(submission.sampling); !checked) return checked;
  if (const auto checked = check_bias(submission, limits); !checked) return checked;
  return check_stop_strings(submission);
}

}  // namespace stint::engine
