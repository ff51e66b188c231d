// What Engine::submit accepts. Pure; thread-safe. Everything past this check may rely on it and asserts.
#pragma once

#include <cstdint>

#include "engine/messages.h"
#include "platform/base/result.h"

namespace stint::engine {

struct SubmissionLimits {
  std::uint32_t context_tokens = 0;
  std::uint32_t vocabulary_count = 0;
};

// Error: invalid_request; with code context_length_exceeded and both counts if the prompt leaves no room for one token
// of output (an embedding needs none). More output than fits is no error: it ends with FinishReason::context_window.
Result<void> check_submission(const Submission& submission, const SubmissionLimits& limits);

}  // namespace stint::engine
