#include "serve/api/openai_completion_encode.h"

#include "platform/base/assert.h"
#include "serve/api/openai_answer.h"

namespace stint::api {
namespace {

using chat::Event;
using json::Writer;

// One choice of the answer: what was said so far and how it ended.
struct Choice {
  std::string text;  // whole bodies only
  std::vector<chat::SampledLogprob> logprobs;
  std::size_t character_count = 0;  // of what was sent so far
  std::optional<chat::FinishReason> reason;
};

constexpr std::string_view kObject = "text_completion";

std::size_t choice_count(const chat::Request& request) {
  return (request.prompts.size() + request.prompt_tokens.size()) * request.choice_count;
}

// The prompts to be sent before the answers; one copy each, however many answers a prompt gets.
class Echoes {
 public:
  explicit Echoes(const chat::Request& request) : answers_per_prompt_(request.choice_count) {
    if (request.echo) prompts_.assign(request.prompts.begin(), request.prompts.end());
  }

  std::string_view before(std::size_t choice_index) const {
    const std::size_t prompt_index = choice_index / answers_per_prompt_;
    return prompt_index < prompts_.size() ? std::string_view(prompts_[prompt_index]) : std::string_view();
  }

 private:
  std::vector<std::string> prompts_;
  std::size_t answers_per_prompt_;
};

// A choice object; `logprobs` null where none were asked for, `reason` empty before the choice's end.
void write_choice(Writer& writer, std::size_t index, std::string_view text,
                  const std::vector<chat::SampledLogprob>* logprobs, std::size_t text_offset, std::string_view reason) {
  writer.begin_object().member("text", text).key("index").integer(index).key("logprobs");
  if (logprobs != nullptr) {
    write_completion_logprobs(writer, *logprobs, text_offset);
  } else {
    writer.null();
  }
  writer.key("finish_reason");
  if (reason.empty()) {
    writer.null();
  } else {
    writer.string(reason);
  }
  writer.end_object();
}

class StreamEncoder final : public Encoder {
 public:
  StreamEncoder(const chat::Request& request, const AnswerStamp& stamp)
      : envelope_(request, stamp, kObject),
        with_logprobs_(request.sampling.logprobs),
        with_usage_(request.include_usage),
        echoes_(request),
        choices_(choice_count(request)) {}

  std::string_view content_type() const override { return "text/event-stream"; }

  void push(const Event& event, std::string& out) override {
    if (is_raw_openai(event)) {
      out += event.raw;
      return;
    }
    switch (event.kind) {
      case Event::Kind::start:
        return append_echoes(out);
      case Event::Kind::text_delta:
        return append_text(event.index, event.text, with_logprobs_ ? &event.logprobs : nullptr, out);
      case Event::Kind::ping:
        return keep_alive(out);
      case Event::Kind::choice_finish:
        return append_choice_finish(event.index, event.finish_reason, out);
      case Event::Kind::finish:
        return append_finish(event, out);
      case Event::Kind::error:
        STINT_ASSERT(event.error.has_value());
        return append_openai_error(out, *event.error);
      case Event::Kind::embedding:
        return;
    }
  }

  void keep_alive(std::string& out) override { out += kSseKeepAlive; }

 private:
  void append_chunk(std::size_t index, std::string_view text, const std::vector<chat::SampledLogprob>* logprobs,
                    std::string_view reason, std::string& out) const {
    out += "data: ";
    Writer writer(out);
    envelope_.begin(writer);
    writer.key("choices").begin_array();
    write_choice(writer, index, text, logprobs, choices_[index].character_count, reason);
    writer.end_array();
    if (with_usage_) writer.key("usage").null();
    writer.end_object();
    out += kSseEnd;
  }

  void append_text(std::size_t index, std::string_view text, const std::vector<chat::SampledLogprob>* logprobs,
                   std::string& out) {
    STINT_ASSERT(index < choices_.size());
    append_chunk(index, text, logprobs, {}, out);
    choices_[index].character_count += character_count(text);
  }

  void append_echoes(std::string& out) {
    for (std::size_t index = 0; index < choices_.size(); ++index) {
      if (const std::string_view echo = echoes_.before(index); !echo.empty()) append_text(index, echo, nullptr, out);
    }
  }

  void append_choice_finish(std::size_t index, chat::FinishReason reason, std::string& out) {
    STINT_ASSERT(index < choices_.size());
    if (choices_[index].reason) return;
    choices_[index].reason = reason;
    append_chunk(index, {}, nullptr, openai_finish_reason(reason), out);
  }

  void append_finish(const Event& event, std::string& out) {
    for (std::size_t index = 0; index < choices_.size(); ++index) {
      append_choice_finish(index, event.finish_reason, out);
    }
    if (with_usage_) {
      out += "data: ";
      Writer writer(out);
      envelope_.begin(writer);
      writer.key("choices").begin_array().end_array().key("usage");
      write_openai_usage(writer, event.usage);
      writer.end_object();
      out += kSseEnd;
    }
    out += kSseDone;
  }

  OpenaiEnvelope envelope_;
  bool with_logprobs_;
  bool with_usage_;
  Echoes echoes_;
  std::vector<Choice> choices_;
};

class BodyEncoder final : public Encoder {
 public:
  BodyEncoder(const chat::Request& request, const AnswerStamp& stamp)
      : envelope_(request, stamp, kObject),
        with_logprobs_(request.sampling.logprobs),
        echoes_(request),
        choices_(choice_count(request)) {}

  std::string_view content_type() const override { return "application/json"; }

  void push(const Event& event, std::string& out) override {
    if (event.kind == Event::Kind::finish) return finish(event, out);
    if (event.kind != Event::Kind::text_delta && event.kind != Event::Kind::choice_finish) return;
    STINT_ASSERT(event.index < choices_.size());
    Choice& choice = choices_[event.index];
    if (event.kind == Event::Kind::choice_finish) {
      choice.reason = event.finish_reason;
      return;
    }
    choice.text += event.text;
    choice.logprobs.insert(choice.logprobs.end(), event.logprobs.begin(), event.logprobs.end());
  }

  void keep_alive(std::string&) override {}

 private:
  void finish(const Event& event, std::string& out) const {
    if (is_raw_openai(event)) {
      out += event.raw;
      return;
    }
    Writer writer(out);
    envelope_.begin(writer);
    writer.key("choices").begin_array();
    for (std::size_t index = 0; index < choices_.size(); ++index) {
      const Choice& choice = choices_[index];
      const std::string_view echo = echoes_.before(index);
      write_choice(writer, index, std::string(echo) + choice.text, with_logprobs_ ? &choice.logprobs : nullptr,
                   character_count(echo), openai_finish_reason(choice.reason.value_or(event.finish_reason)));
    }
    writer.end_array().key("usage");
    write_openai_usage(writer, event.usage);
    writer.end_object();
  }

  OpenaiEnvelope envelope_;
  bool with_logprobs_;
  Echoes echoes_;
  std::vector<Choice> choices_;
};

}  // namespace

std::unique_ptr<Encoder> make_openai_completion_encoder(const chat::Request& request, const AnswerStamp& stamp) {
  if (request.stream) return std::make_unique<StreamEncoder>(request, stamp);
  return std::make_unique<BodyEncoder>(request, stamp);
}

}  // namespace stint::api
