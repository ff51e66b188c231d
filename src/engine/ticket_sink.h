// TicketSink: carries what the scheduler produced for one sequence to its ticket, as text. Engine driver only, but for
// cancelled(). Owned by the sequence; shares the ticket's state with its reader.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/sched/token_sink.h"
#include "engine/text_stream.h"
#include "engine/ticket_shared.h"

namespace stint::engine {

class TicketSink final : public sched::TokenSink {
 public:
  // Takes the stop strings and the wake function out of `submission`.
  TicketSink(std::shared_ptr<Ticket::Shared> shared, const tokenizer::Tokenizer& tokenizer, Submission& submission);

  bool cancelled() const override { return shared_->cancelled(); }
  sched::Verdict on_token(OutputToken token) override;
  void on_embedding(std::vector<float> embedding) override;
  void on_finish(Finish finish) override;

 private:
  void publish(Output&& output);

  std::shared_ptr<Ticket::Shared> shared_;
  const tokenizer::Tokenizer& tokenizer_;
  std::vector<std::string> stop_strings_;
  std::function<void()> wake_;
  const bool ignore_end_of_generation_;
  // Made with the first token: the automaton of the stop strings is large beside a submission that waits.
  std::optional<TextStream> text_;
  std::optional<std::size_t> stop_;  // the stop string found
};

}  // namespace stint::engine
