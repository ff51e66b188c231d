// Limits: how much a scheduler may use: of each step, of the KV cache, of its queue. Plain values, copied at
// construction; the driver derives them from engine settings and the model.
#pragma once

#include <chrono>
#include <cstdint>

#include "platform/base/clock.h"

namespace stint::sched {

// An embedding's prompt is summed in slices of this size whatever the step has room for: float sums depend on how they
// are cut, and the answer must not depend on who shares the step.
inline constexpr std::uint32_t kEmbedChunkTokens = 128;

// Output is reserved in blocks of this size as it grows: four pages.
inline constexpr std::uint32_t kOutputReserveTokens = 64;

// How often more urgent work may overtake the head of the queue while that waits for room: bounds its wait.
inline constexpr std::uint32_t kPassCountMax = 32;

struct Limits {
  std::uint32_t step_token_budget = 256;                 // tokens of one step; at most model::kStepTokensMax
  std::uint32_t max_resident_tokens = 4096;              // prompt + reserved output, over the running sequences
  std::uint32_t context_tokens = 0;                      // longest sequence, prompt and output
  std::uint32_t vocabulary_count = 0;                    // floats of a row of logits
  std::uint32_t queued_count_max = 1024;                 // waiting and paused
  base::Duration ageing_step = std::chrono::seconds(5);  // a queued sequence gains one priority class per step
};

}  // namespace stint::sched
