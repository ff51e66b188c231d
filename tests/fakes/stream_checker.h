// Checks of whole answer streams: framing, order and completeness of events, as clients depend on them. Each returns
// the first thing that is wrong, empty if nothing is. Test code only; links net and json.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "platform/json/document.h"
#include "platform/json/fields.h"
#include "platform/net/sse.h"

namespace stint::fakes {

struct StreamEvent {
  std::string event;
  std::string data;
};

// The events of `bytes`; comments are left out, and what lacks its blank line is not an event.
inline std::vector<StreamEvent> read_events(std::string_view bytes) {
  std::vector<StreamEvent> events;
  net::SseReader reader;
  reader.feed(bytes);
  for (auto next = reader.next(); next && *next; next = reader.next()) {
    if ((*next)->has_data) events.push_back({std::string((*next)->event), std::string((*next)->data)});
  }
  return events;
}

// Anthropic: message_start; blocks 0, 1, ... one after the other, each start, deltas, stop; one message_delta with a
// stop reason and the input counts; message_stop. Pings anywhere. `error` instead of the end when `may_fail`.
class AnthropicStreamChecker {
 public:
  std::string check(std::string_view bytes, bool may_fail = false) {
    if (!bytes.ends_with("\n\n")) return "no blank line at the end";
    for (const StreamEvent& event : read_events(bytes)) {
      if (std::string wrong = step(event); !wrong.empty()) return event.event + ": " + wrong;
    }
    if (failed_) return may_fail ? "" : "ended by an error";
    return stage_ == Stage::stopped ? "" : "the stream has no end";
  }

 private:
  enum class Stage { before, between_blocks, in_block, after_delta, stopped };

  std::string step(const StreamEvent& event) {
    const auto document = json::Document::parse(event.data);
    if (!document) return document.error().message;
    const auto fields = json::Fields<"type", "index", "message", "delta", "usage", "error">::read(document->root());
    if (!fields) return fields.error().message;
    if (!fields->get<"type">().equals(event.event)) return "the type differs from the event's name";
    if (event.event == "ping") return "";
    if (stage_ == Stage::stopped || failed_) return "comes after the end";
    if (event.event == "error") {
      failed_ = true;
      return fields->get<"error">().is(json::Kind::object) ? "" : "carries no error object";
    }
    if (event.event == "message_start")
      return advance(Stage::before, Stage::between_blocks, has_usage(fields->get<"message">()));
    if (event.event == "message_delta") return advance(Stage::between_blocks, Stage::after_delta, has_end(*fields));
    if (event.event == "message_stop") return advance(Stage::after_delta, Stage::stopped, true);
    return block_step(event, fields->get<"index">());
  }

  std::string block_step(const StreamEvent& event, const json::Value& index) {
    const bool is_current = index.integer() == block_count_;
    if (event.event == "content_block_start") return advance(Stage::between_blocks, Stage::in_block, is_current);
    if (event.event == "content_block_delta") return advance(Stage::in_block, Stage::in_block, is_current);
    if (event.event != "content_block_stop") return "is unknown";
    std::string wrong = advance(Stage::in_block, Stage::between_blocks, is_current);
    ++block_count_;
    return wrong;
  }

  static bool has_usage(const json::Value& message) {
    const auto fields = json::Fields<"usage", "content">::read(message);
    if (!fields || !fields->get<"content">().is(json::Kind::array)) return false;
    const auto usage = json::Fields<"input_tokens", "output_tokens">::read(fields->get<"usage">());
    return usage && usage->get<"input_tokens">().given() && usage->get<"output_tokens">().given();
  }

  template <typename EventFields>
  static bool has_end(const EventFields& fields) {
    const auto delta = json::Fields<"stop_reason">::read(fields.template get<"delta">());
    const auto usage =
        json::Fields<"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens">::read(
            fields.template get<"usage">());
    return delta && delta->template get<"stop_reason">().is(json::Kind::string) && usage &&
           usage->template get<"input_tokens">().given() && usage->template get<"cache_read_input_tokens">().given() &&
           usage->template get<"cache_creation_input_tokens">().given() &&
           usage->template get<"output_tokens">().given();
  }

  std::string advance(Stage expected, Stage next, bool is_complete) {
    if (stage_ != expected) return "stands in the wrong place";
    stage_ = next;
    return is_complete ? "" : "lacks a field or has the wrong index";
  }

  Stage stage_ = Stage::before;
  std::uint64_t block_count_ = 0;
  bool failed_ = false;
};

// OpenAI (both chunk kinds): one id, object, created and model throughout; no event names; in chat chunks a delta, the
// first of a choice with the role; one finish_reason a choice, nothing after it; the usage chunk has no choices; [DONE]
// last. An error object instead of the end, without [DONE], when `may_fail`.
class OpenaiStreamChecker {
 public:
  OpenaiStreamChecker(std::size_t choice_count, bool with_usage)
      : is_open_(choice_count), is_finished_(choice_count), with_usage_(with_usage) {}

  std::string check(std::string_view bytes, bool may_fail = false) {
    if (!bytes.ends_with("\n\n")) return "no blank line at the end";
    if (bytes.contains("\nid:") || bytes.contains("\nretry:")) return "carries an id or retry line";
    for (const StreamEvent& event : read_events(bytes)) {
      if (std::string wrong = step(event); !wrong.empty()) return wrong + ": " + event.data;
    }
    if (failed_) return may_fail && !is_done_ ? "" : "ended by an error";
    if (!is_done_) return "the stream has no [DONE]";
    for (std::size_t i = 0; i < is_finished_.size(); ++i) {
      if (!is_finished_[i]) return "a choice has no finish_reason";
    }
    return with_usage_ == has_usage_ ? "" : "the usage chunk is missing or was not asked for";
  }

 private:
  using Chunk = json::Fields<"id", "object", "created", "model", "choices", "usage", "error">;

  std::string step(const StreamEvent& event) {
    if (!event.event.empty()) return "carries an event name";
    if (is_done_ || failed_) return "comes after the end";
    if (event.data == "[DONE]") {
      is_done_ = true;
      return "";
    }
    const auto document = json::Document::parse(event.data);
    if (!document) return document.error().message;
    const auto chunk = Chunk::read(document->root());
    if (!chunk) return chunk.error().message;
    if (chunk->get<"error">().given()) {
      failed_ = true;
      return "";
    }
    const std::string envelope = fmt::format("{} {} {} {}", chunk->get<"id">().raw(), chunk->get<"object">().raw(),
                                             chunk->get<"created">().raw(), chunk->get<"model">().raw());
    if (envelope_.empty()) envelope_ = envelope;
    if (envelope != envelope_) return "id, object, created or model changed";
    if (chunk->get<"usage">().exists() != with_usage_) return "usage is missing or was not asked for";
    const auto choices = chunk->get<"choices">().array();
    if (!choices) return choices.error().message;
    if (chunk->get<"usage">().given()) {
      has_usage_ = true;
      return choices->empty() ? "" : "the usage chunk has choices";
    }
    for (const json::Value choice : *choices) {
      if (std::string wrong = choice_step(choice, chunk->get<"object">().equals("chat.completion.chunk"));
          !wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }

  std::string choice_step(const json::Value& choice, bool is_chat) {
    const auto fields = json::Fields<"index", "delta", "text", "finish_reason">::read(choice);
    if (!fields) return fields.error().message;
    const auto index = fields->get<"index">().integer(0, is_open_.size() - 1);
    if (!index) return index.error().message;
    if (is_finished_[*index]) return "comes after the choice's end";
    if (is_chat) {
      const auto delta = json::Fields<"role">::read(fields->get<"delta">());
      if (!delta) return "a chunk has no delta";
      if (!is_open_[*index] && !delta->get<"role">().equals("assistant")) return "the first delta has no role";
    } else if (!fields->get<"text">().is(json::Kind::string)) {
      return "a chunk has no text";
    }
    is_open_[*index] = true;
    if (fields->get<"finish_reason">().given()) is_finished_[*index] = true;
    return "";
  }

  std::vector<bool> is_open_;
  std::vector<bool> is_finished_;
  bool with_usage_;
  bool has_usage_ = false;
  bool is_done_ = false;
  bool failed_ = false;
  std::string envelope_;
};

}  // namespace stint::fakes
