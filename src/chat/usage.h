// Usage: the tokens of one answer. Plain value.
#pragma once

#include <cstdint>

namespace stint::chat {

// Counts are disjoint: total input = input_tokens + cache_read_tokens + cache_write_tokens (Anthropic's convention;
// OpenAI's prompt_tokens is that sum). For the local engine, cache_read_tokens are prompt tokens whose KV was reused.
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t cache_read_tokens = 0;
  std::uint64_t cache_write_tokens = 0;
  std::uint64_t output_tokens = 0;

  std::uint64_t total_input_tokens() const { return input_tokens + cache_read_tokens + cache_write_tokens; }
};

}  // namespace stint::chat
