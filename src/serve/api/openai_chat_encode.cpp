#include "serve/api/openai_chat_encode.h"

#include "platform/base/assert.h"
#include "serve/api/openai_answer.h"

namespace stint::api {
namespace {

using chat::Event;
using json::Writer;

class StreamEncoder final : public Encoder {
 public:
  StreamEncoder(const chat::Request& request, const AnswerStamp& stamp)
      : envelope_(request, stamp, "chat.completion.chunk"),
        with_logprobs_(request.sampling.logprobs),
        with_usage_(request.include_usage),
        is_finished_(request.choice_count, false) {}

  std::string_view content_type() const override { return "text/event-stream"; }

  void push(const Event& event, std::string& out) override {
    if (is_raw_openai(event)) {
      out += event.raw;
      return;
    }
    switch (event.kind) {
      case Event::Kind::start:
        for (std::uint32_t index = 0; index < is_finished_.size(); ++index) append_role(index, out);
        return;
      case Event::Kind::text_delta:
        return append_text(event, out);
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
  // Everything up to the delta's own members; `writer` stands inside the delta.
  Writer begin_chunk(std::uint32_t index, std::string& out) const {
    out += "data: ";
    Writer writer(out);
    envelope_.begin(writer);
    writer.key("choices").begin_array().begin_object().key("index").integer(index).key("delta").begin_object();
    return writer;
  }

  // Closes what begin_chunk opened; `reason` is empty before a choice's end.
  void end_chunk(Writer& writer, const Event* text, std::string_view reason, std::string& out) const {
    writer.end_object().key("logprobs");
    if (text != nullptr && with_logprobs_) {
      write_chat_logprobs(writer, text->logprobs);
    } else {
      writer.null();
    }
    writer.key("finish_reason");
    if (reason.empty()) {
      writer.null();
    } else {
      writer.string(reason);
    }
    writer.end_object().end_array();
    if (with_usage_) writer.key("usage").null();
    writer.end_object();
    out += kSseEnd;
  }

  void append_role(std::uint32_t index, std::string& out) const {
    Writer writer = begin_chunk(index, out);
    writer.member("role", "assistant").member("content", "").key("refusal").null();
    end_chunk(writer, nullptr, {}, out);
  }

  void append_text(const Event& event, std::string& out) const {
    Writer writer = begin_chunk(event.index, out);
    writer.member("content", event.text);
    end_chunk(writer, &event, {}, out);
  }

  void append_choice_finish(std::uint32_t index, chat::FinishReason reason, std::string& out) {
    STINT_ASSERT(index < is_finished_.size());
    if (is_finished_[index]) return;
    is_finished_[index] = true;
    Writer writer = begin_chunk(index, out);
    end_chunk(writer, nullptr, openai_finish_reason(reason), out);
  }

  void append_finish(const Event& event, std::string& out) {
    for (std::uint32_t index = 0; index < is_finished_.size(); ++index) {
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
  std::vector<bool> is_finished_;  // by choice
};

class BodyEncoder final : public Encoder {
 public:
  BodyEncoder(const chat::Request& request, const AnswerStamp& stamp)
      : envelope_(request, stamp, "chat.completion"),
        with_logprobs_(request.sampling.logprobs),
        choices_(request.choice_count) {}

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
  struct Choice {
    std::string text;
    std::vector<chat::SampledLogprob> logprobs;
    std::optional<chat::FinishReason> reason;
  };

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
      writer.begin_object().key("index").integer(index).key("message").begin_object();
      writer.member("role", "assistant").member("content", choice.text).key("refusal").null();
      writer.key("annotations").begin_array().end_array().end_object().key("logprobs");
      if (with_logprobs_) {
        write_chat_logprobs(writer, choice.logprobs);
      } else {
        writer.null();
      }
      writer.member("finish_reason", openai_finish_reason(choice.reason.value_or(event.finish_reason))).end_object();
    }
    writer.end_array().key("usage");
    write_openai_usage(writer, event.usage);
    writer.end_object();
  }

  OpenaiEnvelope envelope_;
  bool with_logprobs_;
  std::vector<Choice> choices_;
};

}  // namespace

std::unique_ptr<Encoder> make_openai_chat_encoder(const chat::Request& request, const AnswerStamp& stamp) {
  if (request.stream) return std::make_unique<StreamEncoder>(request, stamp);
  return std::make_unique<BodyEncoder>(request, stamp);
}

}  // namespace stint::api
