// The only types that cross between the io thread and the engine driver. Plain values that own what they hold; bounded
// by what engine::check_submission accepts.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/base/clock.h"
#include "platform/base/error.h"

namespace stint::engine {

using TokenId = std::uint32_t;

// Partitions every shared state of the engine (pages, prefix tree): two tenants never share a page.
using TenantSalt = std::array<std::uint8_t, 16>;

enum class Priority : std::uint8_t { urgent, normal, batch };

struct SamplingParams {
  float temperature = 1.0f;  // 0: greedy
  std::uint32_t top_k = 0;   // 0: off
  float top_p = 1.0f;
  float min_p = 0.0f;
  float repetition_penalty = 1.0f;
  float frequency_penalty = 0.0f;
  float presence_penalty = 0.0f;
  std::uint32_t penalty_window = 64;  // tokens looked back on for repetition_penalty
  std::vector<std::pair<TokenId, float>> logit_bias;
  std::uint64_t seed = 0;
  bool logprobs = false;
  std::uint32_t top_logprobs = 0;  // at most kTopLogprobsMax
};

inline constexpr std::uint32_t kTopLogprobsMax = 20;

struct Submission {
  // generate: sampled continuation. embed: mean of the last hidden states over the prompt, L2-normalised.
  enum class Kind : std::uint8_t { generate, embed };

  Kind kind = Kind::generate;
  std::vector<TokenId> prompt;  // not empty; BOS already in place
  TenantSalt salt{};
  SamplingParams sampling;
  std::vector<std::string> stop_strings;  // not empty strings; the answer ends before the first that appears
  std::uint32_t max_output_tokens = 1;
  bool ignore_end_of_generation = false;  // benchmarks: run to max_output_tokens
  Priority priority = Priority::normal;
  base::Deadline deadline;  // passed: the ticket finishes with ErrorKind::timeout
  // Called on the engine driver after output was added to the ticket. Must not block and must not call the engine.
  std::function<void()> wake;
};

struct Logprob {
  TokenId token = 0;
  float logprob = 0;
};

struct OutputToken {
  TokenId token = 0;
  Logprob sampled;           // when asked for
  std::vector<Logprob> top;  // best first, when asked for
};

// length: max_output_tokens were sampled. context_window: fewer were, because prompt and output fill the context.
enum class FinishReason : std::uint8_t { end_of_generation, stop_string, length, context_window, cancelled, failed };

struct Finish {
  FinishReason reason = FinishReason::end_of_generation;
  std::string stop_string;           // reason stop_string
  std::optional<base::Error> error;  // reason failed
  std::uint32_t prompt_tokens = 0;
  std::uint32_t cached_prompt_tokens = 0;
  std::uint32_t output_tokens = 0;  // sampled, the end-of-generation token not counted
  base::Duration queue_time{};      // submit to first step
  base::Duration prefill_time{};    // first step to first token
  base::Duration decode_time{};     // first token to finish
};

// What a ticket hands out: text that will not be taken back (characters complete, no stop string can still begin in
// it), with the tokens behind it; last comes exactly one `finish`.
struct Output {
  std::string text;
  std::vector<OutputToken> tokens;
  std::vector<float> embedding;
  std::optional<Finish> finish;
};

}  // namespace stint::engine
