// LocalEventStream: the events of one call, made from the engine's tickets (several for several prompts or embedding
// inputs). Lives on the io thread; owns its tickets, so that destroying it cancels them.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "backends/event_stream.h"
#include "backends/local/wake_signal.h"
#include "engine/engine.h"

namespace stint::local {

class LocalEventStream final : public backends::EventStream {
 public:
  struct Facts {
    std::uint64_t prompt_tokens = 0;  // of all tickets together
    bool wants_logprobs = false;
  };
  // Requires at least one ticket.
  LocalEventStream(std::shared_ptr<engine::Engine> engine, std::shared_ptr<WakeSignal> wake,
                   std::vector<engine::Ticket> tickets, Facts facts);

  net::Task<Result<chat::Event>> next(base::Deadline deadline) override;
  void cancel() override;

 private:
  void collect();
  void take(std::uint32_t index, engine::Output output);
  void take_finish(std::uint32_t index, const engine::Finish& finish);
  std::vector<chat::SampledLogprob> logprobs(const std::vector<engine::OutputToken>& tokens) const;
  chat::TokenLogprob describe(const engine::Logprob& logprob) const;

  std::shared_ptr<engine::Engine> engine_;  // before tickets_: they must go first
  std::shared_ptr<WakeSignal> wake_;
  std::vector<engine::Ticket> tickets_;
  std::size_t finished_count_ = 0;
  std::deque<chat::Event> events_;
  chat::Usage usage_;
  const bool wants_logprobs_;
  bool cancelled_ = false;
};

}  // namespace stint::local
