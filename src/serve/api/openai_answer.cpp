#include "serve/api/openai_answer.h"

#include <algorithm>

#include "platform/base/assert.h"
#include "serve/api/error_body.h"

namespace stint::api {
namespace {

using json::Writer;

void write_token(Writer& writer, const chat::TokenLogprob& token) {
  writer.member("token", token.token).key("logprob").number(token.logprob).key("bytes").begin_array();
  for (const char byte : token.token) writer.integer(static_cast<unsigned char>(byte));
  writer.end_array();
}

}  // namespace

OpenaiEnvelope::OpenaiEnvelope(const chat::Request& request, const AnswerStamp& stamp, std::string_view object) {
  Writer writer(members_);
  writer.begin_object().member("id", stamp.id).member("object", object);
  writer.key("created").integer(stamp.created_unix_s).member("model", request.model);
  members_.erase(0, 1);  // the brace, which begin() writes
}

bool is_raw_openai(const chat::Event& event) {
  return event.dialect == chat::DialectId::openai && !event.raw.empty();
}

std::string_view openai_finish_reason(chat::FinishReason reason) {
  switch (reason) {
    case chat::FinishReason::stop:
    case chat::FinishReason::stop_string:
      return "stop";
    case chat::FinishReason::length:
    case chat::FinishReason::context_window:
      return "length";
    case chat::FinishReason::tool_use:
      return "tool_calls";
    case chat::FinishReason::refusal:
      return "content_filter";
  }
  STINT_ASSERT(false);
}

void write_openai_usage(Writer& writer, const chat::Usage& usage) {
  const std::uint64_t prompt = usage.total_input_tokens();
  writer.begin_object().key("prompt_tokens").integer(prompt).key("completion_tokens").integer(usage.output_tokens);
  writer.key("total_tokens").integer(prompt + usage.output_tokens);
  writer.key("prompt_tokens_details").begin_object().key("cached_tokens").integer(usage.cache_read_tokens);
  writer.key("cache_write_tokens").integer(usage.cache_write_tokens).key("audio_tokens").integer(0).end_object();
  writer.key("completion_tokens_details").begin_object().key("reasoning_tokens").integer(0);
  writer.key("audio_tokens").integer(0).key("accepted_prediction_tokens").integer(0);
  writer.key("rejected_prediction_tokens").integer(0).end_object().end_object();
}

void write_chat_logprobs(Writer& writer, const std::vector<chat::SampledLogprob>& logprobs) {
  writer.begin_object().key("content").begin_array();
  for (const chat::SampledLogprob& logprob : logprobs) {
    writer.begin_object();
    write_token(writer, logprob.sampled);
    writer.key("top_logprobs").begin_array();
    for (const chat::TokenLogprob& top : logprob.top) {
      writer.begin_object();
      write_token(writer, top);
      writer.end_object();
    }
    writer.end_array().end_object();
  }
  writer.end_array().key("refusal").null().end_object();
}

std::size_t write_completion_logprobs(Writer& writer, const std::vector<chat::SampledLogprob>& logprobs,
                                      std::size_t text_offset) {
  writer.begin_object().key("tokens").begin_array();
  for (const auto& logprob : logprobs) writer.string(logprob.sampled.token);
  writer.end_array().key("token_logprobs").begin_array();
  for (const auto& logprob : logprobs) writer.number(logprob.sampled.logprob);
  writer.end_array().key("top_logprobs").begin_array();
  for (const auto& logprob : logprobs) {
    writer.begin_object();
    for (const chat::TokenLogprob& top : logprob.top) writer.key(top.token).number(top.logprob);
    writer.end_object();
  }
  writer.end_array().key("text_offset").begin_array();
  for (const auto& logprob : logprobs) {
    writer.integer(text_offset);
    text_offset += character_count(logprob.sampled.token);
  }
  writer.end_array().end_object();
  return text_offset;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

void append_openai_error(std::string& out, const base::Error& error) {
  out.append("data: ").append(stream_error_object(error, chat::DialectId::openai)).append(kSseEnd);
}

}  // namespace stint::api
