// ScriptedEventStream: an EventStream that hands out events as a test pushes them, and remembers whether it was
// cancelled. Lives on the test's loop. The script outlives the stream, so that a test can look at it afterwards.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "backends/event_stream.h"

namespace stint::fakes {

struct EventScript {
  std::deque<Result<chat::Event>> events;
  net::Notify changed;
  bool cancelled = false;
  std::size_t taken_count = 0;

  void push(chat::Event event) {
    events.emplace_back(std::move(event));
    changed.notify_all();
  }
  void push_text(std::string text) {
    push({.kind = chat::Event::Kind::text_delta, .text = std::move(text), .token_count = 1});
  }
  void push_finish(chat::FinishReason reason = chat::FinishReason::stop) {
    push({.kind = chat::Event::Kind::finish, .finish_reason = reason});
  }
  void push_failure(ErrorKind kind, std::string message) {
    events.emplace_back(fail(kind, std::move(message)));
    changed.notify_all();
  }
};

class ScriptedEventStream final : public backends::EventStream {
 public:
  explicit ScriptedEventStream(EventScript& script) : script_(script) {}

  net::Task<Result<chat::Event>> next(base::Deadline deadline) override {
    while (true) {
      if (script_.cancelled) co_return fail(ErrorKind::cancelled, "cancelled");
      if (!script_.events.empty()) {
        Result<chat::Event> event = std::move(script_.events.front());
        script_.events.pop_front();
        ++script_.taken_count;
        co_return event;
      }
      if (co_await script_.changed.wait(deadline)) continue;
      const bool cancelled = (co_await net::current_scope()).cancelled();
      co_return fail(cancelled ? ErrorKind::cancelled : ErrorKind::timeout, "nothing came");
    }
  }

  void cancel() override {
    script_.cancelled = true;
    script_.changed.notify_all();
  }

 private:
  EventScript& script_;
};

}  // namespace stint::fakes
