// openai_answer: the pieces that chat completions and completions share on their way out: envelope, finish reasons,
// usage, log probabilities, and the frame of a stream. Pure functions and plain values; nothing is kept. Source:
// OpenAI's API reference. Streams carry no `id:` or `retry:` lines: OpenAI's Python client breaks on them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/event.h"
#include "platform/json/writer.h"
#include "serve/api/dialect.h"

namespace stint::api {

inline constexpr std::string_view kSseEnd = "\n\n";
inline constexpr std::string_view kSseDone = "data: [DONE]\n\n";
inline constexpr std::string_view kSseKeepAlive = ": keep-alive\n\n";

// What every chunk and every body begins with, written once: id, object, created, model.
class OpenaiEnvelope {
 public:
  OpenaiEnvelope(const chat::Request& request, const AnswerStamp& stamp, std::string_view object);

  // Opens the object and writes the four members.
  void begin(json::Writer& writer) const { writer.begin_object().raw(members_); }

 private:
  std::string members_;
};

bool is_raw_openai(const chat::Event& event);

std::string_view openai_finish_reason(chat::FinishReason reason);

// prompt_tokens includes what came from and went to the cache.
void write_openai_usage(json::Writer& writer, const chat::Usage& usage);

// {"content":[{token, logprob, bytes, top_logprobs}],"refusal":null} of chat completions.
void write_chat_logprobs(json::Writer& writer, const std::vector<chat::SampledLogprob>& logprobs);

// {"tokens","token_logprobs","top_logprobs","text_offset"} of completions. `text_offset`: characters before the first
// token; returns those before the next.
std::size_t write_completion_logprobs(json::Writer& writer, const std::vector<chat::SampledLogprob>& logprobs,
                                      std::size_t text_offset);

// Characters (code points) in UTF-8 text.
std::size_t character_count(std::string_view text);

// An error in a stream: no [DONE] follows.
void append_openai_error(std::string& out, const base::Error& error);

}  // namespace stint::api
