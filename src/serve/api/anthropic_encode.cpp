#include "serve/api/anthropic_encode.h"

#include "platform/base/assert.h"
#include "platform/json/writer.h"
#include "serve/api/error_body.h"

namespace stint::api {
namespace {

using chat::Event;
using chat::FinishReason;
using json::Writer;

std::string_view stop_reason(FinishReason reason) {
  switch (reason) {
    case FinishReason::stop:
      return "end_turn";
    case FinishReason::stop_string:
      return "stop_sequence";
    case FinishReason::length:
      return "max_tokens";
    case FinishReason::tool_use:
      return "tool_use";
    case FinishReason::refusal:
      return "refusal";
    case FinishReason::context_window:
      return "model_context_window_exceeded";
  }
  STINT_ASSERT(false);
}

// stop_reason, stop_sequence and stop_details of an answer; all null before its end.
void write_stop(Writer& writer, const Event* finish) {
  writer.key("stop_reason");
  if (finish == nullptr) {
    writer.null();
  } else {
    writer.string(stop_reason(finish->finish_reason));
  }
  writer.key("stop_sequence");
  if (finish != nullptr && finish->finish_reason == FinishReason::stop_string) {
    writer.string(finish->stop_string);
  } else {
    writer.null();
  }
  writer.key("stop_details").null();
}

void write_input_counts(Writer& writer, const chat::Usage& usage) {
  writer.key("input_tokens").integer(usage.input_tokens);
  writer.key("cache_creation_input_tokens").integer(usage.cache_write_tokens);
  writer.key("cache_read_input_tokens").integer(usage.cache_read_tokens);
}

void write_usage(Writer& writer, const chat::Usage& usage) {
  writer.begin_object();
  write_input_counts(writer, usage);
  writer.key("cache_creation").begin_object();
  writer.key("ephemeral_5m_input_tokens").integer(usage.cache_write_tokens);
  writer.key("ephemeral_1h_input_tokens").integer(0);
  writer.end_object();
  writer.key("output_tokens").integer(usage.output_tokens).member("service_tier", "standard");
  writer.end_object();
}

bool is_raw(const Event& event) {
  return event.dialect == chat::DialectId::anthropic && !event.raw.empty();
}

class StreamEncoder final : public Encoder {
 public:
  StreamEncoder(std::string_view model, AnswerStamp stamp) : model_(model), stamp_(std::move(stamp)) {}

  std::string_view content_type() const override { return "text/event-stream"; }

  void push(const Event& event, std::string& out) override {
    if (is_raw(event)) {
      out += event.raw;
      return;
    }
    switch (event.kind) {
      case Event::Kind::start:
        return start(event.usage, out);
      case Event::Kind::text_delta:
        return delta(event.text, out);
      case Event::Kind::ping:
        return keep_alive(out);
      case Event::Kind::finish:
        return finish(event, out);
      case Event::Kind::error:
        STINT_ASSERT(event.error.has_value());
        out.append("event: error\ndata: ").append(stream_error_object(*event.error, chat::DialectId::anthropic));
        out += "\n\n";
        return;
      case Event::Kind::embedding:
      case Event::Kind::choice_finish:
        return;
    }
  }

  void keep_alive(std::string& out) override { out += "event: ping\ndata: {\"type\": \"ping\"}\n\n"; }

 private:
  // The head of one event, up to and including its type.
  static Writer begin(std::string& out, std::string_view name) {
    out.append("event: ").append(name).append("\ndata: ");
    Writer writer(out);
    writer.begin_object().member("type", name);
    return writer;
  }

  static void end(Writer& writer, std::string& out) {
    writer.end_object();
    out += "\n\n";
  }

  void start(const chat::Usage& usage, std::string& out) const {
    Writer writer = begin(out, "message_start");
    writer.key("message").begin_object().member("id", stamp_.id).member("type", "message").member("role", "assistant");
    writer.member("model", model_).key("content").begin_array().end_array();
    write_stop(writer, nullptr);
    writer.key("usage");
    write_usage(writer, usage);
    writer.end_object();
    end(writer, out);
  }

  void delta(std::string_view text, std::string& out) {
    if (!block_is_open_) {
      block_is_open_ = true;
      Writer block = begin(out, "content_block_start");
      block.key("index").integer(0).key("content_block").begin_object().member("type", "text").member("text", "");
      block.end_object();
      end(block, out);
      keep_alive(out);
    }
    Writer writer = begin(out, "content_block_delta");
    writer.key("index").integer(0).key("delta").begin_object().member("type", "text_delta").member("text", text);
    writer.end_object();
    end(writer, out);
  }

  void finish(const Event& event, std::string& out) {
    if (block_is_open_) {
      Writer block = begin(out, "content_block_stop");
      block.key("index").integer(0);
      end(block, out);
    }
    Writer writer = begin(out, "message_delta");
    writer.key("delta").begin_object();
    write_stop(writer, &event);
    writer.end_object().key("usage").begin_object();
    write_input_counts(writer, event.usage);
    writer.key("output_tokens").integer(event.usage.output_tokens).end_object();
    end(writer, out);
    Writer stop = begin(out, "message_stop");
    end(stop, out);
  }

  std::string model_;
  AnswerStamp stamp_;
  bool block_is_open_ = false;
};

class BodyEncoder final : public Encoder {
 public:
  BodyEncoder(std::string_view model, AnswerStamp stamp) : model_(model), stamp_(std::move(stamp)) {}

  std::string_view content_type() const override { return "application/json"; }

  void push(const Event& event, std::string& out) override {
    if (event.kind == Event::Kind::text_delta) text_ += event.text;
    if (event.kind != Event::Kind::finish) return;
    if (is_raw(event)) {
      out += event.raw;
    } else {
      write_body(event, out);
    }
  }

  void keep_alive(std::string&) override {}

 private:
  // The order of the keys is the provider's.
  void write_body(const Event& finish, std::string& out) const {
    Writer writer(out);
    writer.begin_object().member("model", model_).member("id", stamp_.id).member("type", "message");
    writer.member("role", "assistant").key("content").begin_array();
    if (!text_.empty()) writer.begin_object().member("type", "text").member("text", text_).end_object();
    writer.end_array();
    write_stop(writer, &finish);
    writer.key("usage");
    write_usage(writer, finish.usage);
    writer.end_object();
  }

  std::string model_;
  AnswerStamp stamp_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Encoder> make_anthropic_encoder(const chat::Request& request, AnswerStamp stamp) {
  if (request.stream) return std::make_unique<StreamEncoder>(request.model, std::move(stamp));
  return std::make_unique<BodyEncoder>(request.model, std::move(stamp));
}

std::string encode_token_count(std::uint64_t input_token_count) {
  std::string body;
  Writer(body).begin_object().key("input_tokens").integer(input_token_count).end_object();
  return body;
}

}  // namespace stint::api
