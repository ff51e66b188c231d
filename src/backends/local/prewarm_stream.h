// PrewarmStream: the answer to a call that asks for no tokens (max_tokens 0): it begins and ends, with the prompt
// counted. Lives on the io thread.
#pragma once

#include <utility>

#include "backends/event_stream.h"

namespace stint::local {

class PrewarmStream final : public backends::EventStream {
 public:
  explicit PrewarmStream(std::uint64_t prompt_tokens) { usage_.input_tokens = prompt_tokens; }

  net::Task<Result<chat::Event>> next(base::Deadline) override {
    if (cancelled_) co_return fail(ErrorKind::cancelled, "the answer was cancelled");
    chat::Event event{.kind = std::exchange(started_, true) ? chat::Event::Kind::finish : chat::Event::Kind::start};
    event.usage = usage_;
    event.finish_reason = chat::FinishReason::length;
    co_return event;
  }
  void cancel() override { cancelled_ = true; }

 private:
  chat::Usage usage_;
  bool started_ = false;
  bool cancelled_ = false;
};

}  // namespace stint::local
