// Request: one decoded call, in no dialect's shape: views and byte spans into the body it owns. Move-only: the views
// point into it. Built by api::Dialect::decode, read by every stage, never changed after preprocess.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/event.h"
#include "chat/message.h"
#include "chat/need.h"
#include "chat/text_arena.h"

namespace stint::chat {

// relay: an endpoint we do not know, carried byte for byte.
enum class CallKind : std::uint8_t { chat, complete, embed, count_tokens, relay };

std::string_view to_string(CallKind kind);

// What the client asked for; absent means the model's default. Ranges are checked at decode.
struct Sampling {
  std::optional<float> temperature;
  std::optional<float> top_p;
  std::optional<float> min_p;
  std::optional<std::uint32_t> top_k;
  std::optional<float> repetition_penalty;
  std::optional<float> frequency_penalty;
  std::optional<float> presence_penalty;
  std::optional<std::uint64_t> seed;
  std::vector<std::pair<std::uint32_t, float>> logit_bias;  // token id, added to its logit
  bool logprobs = false;
  std::uint32_t top_logprobs = 0;
};

// Stint's own body fields; all their spans stand in `own_field_spans`, to be cut before any upstream sees them.
struct OwnFields {
  std::optional<std::string_view> session_id;
  std::optional<std::uint64_t> resume_from;
  std::optional<std::string_view> cache;
  bool cache_bypass = false;
  bool urgent = false;
  std::optional<std::string_view> quantization;
};

struct Request {
  CallKind kind = CallKind::chat;
  DialectId dialect = DialectId::anthropic;
  std::shared_ptr<const std::string> body;
  TextArena arena;

  std::string_view model;
  ByteSpan model_span;                    // the string with its quotes
  std::vector<Message> messages;          // system first, wherever the dialect keeps it
  bool continues_assistant = false;       // the last message is an assistant's to be continued (prefill)
  std::vector<std::string_view> prompts;  // complete, embed: text inputs
  std::vector<std::vector<std::uint32_t>> prompt_tokens;  // complete, embed: inputs given as token ids
  ByteSpan tools_span;
  std::vector<Need> needs;         // what a backend must be able to do beyond text, one a feature
  std::uint32_t choice_count = 1;  // n: answers a prompt
  std::optional<std::uint32_t> max_output_tokens;
  std::vector<std::string_view> stop_strings;
  Sampling sampling;
  bool stream = false;
  bool include_usage = false;  // OpenAI stream_options.include_usage
  bool echo = false;           // complete: the prompt comes back before the answer; the encoder does it for `prompts`
  bool embedding_base64 = false;  // embed
  std::optional<std::uint32_t> embedding_dimensions;
  std::optional<std::string_view> end_user;
  OwnFields own;
  std::vector<ByteSpan> own_field_spans;

  Request() = default;
  Request(Request&&) = default;
  Request& operator=(Request&&) = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
};

}  // namespace stint::chat
