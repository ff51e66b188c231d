// Event: one step of an answer on its way to the client, in no dialect's shape. Plain value, moved along the stream.
// A stream is: start, then any number of deltas, then exactly one of finish or error. Embedding calls send start, one
// embedding event an input, finish. A call with several choices (n > 1, several prompts) sends one choice_finish a
// choice before the finish; with one choice the finish alone tells the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chat/usage.h"
#include "platform/base/error.h"

namespace stint::chat {

enum class FinishReason : std::uint8_t { stop, stop_string, length, tool_use, refusal, context_window };

// Who wrote `raw`; an encoder of the same dialect appends the raw bytes instead of encoding the typed fields.
enum class DialectId : std::uint8_t { none, anthropic, openai };

struct TokenLogprob {
  std::string token;  // raw bytes, perhaps part of a character
  std::uint32_t token_id = 0;
  float logprob = 0;  // natural logarithm
};

struct SampledLogprob {
  TokenLogprob sampled;
  std::vector<TokenLogprob> top;  // best first
};

struct Event {
  enum class Kind : std::uint8_t { start, text_delta, embedding, ping, choice_finish, finish, error };

  Kind kind = Kind::ping;
  std::string text;                      // text_delta: whole UTF-8 characters
  std::vector<SampledLogprob> logprobs;  // text_delta, when asked for: the tokens behind `text`
  std::uint32_t index = 0;               // which choice (prompt * n + answer), or which embedding input
  std::vector<float> embedding;          // embedding
  std::uint32_t token_count = 0;         // text_delta: tokens behind `text`
  Usage usage;                           // start: input side; finish: everything
  FinishReason finish_reason = FinishReason::stop;
  std::string stop_string;           // finish and choice_finish by stop_string: which one
  std::optional<base::Error> error;  // error
  DialectId dialect = DialectId::none;
  std::string raw;
};

// Bytes of what the event carries, as it lies in memory; what bounds on answers count.
std::size_t content_size(const Event& event);

}  // namespace stint::chat
