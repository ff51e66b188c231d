#include "engine/ticket_sink.h"

#include <utility>

namespace stint::engine {

TicketSink::TicketSink(std::shared_ptr<Ticket::Shared> shared, const tokenizer::Tokenizer& tokenizer,
                       Submission& submission)
    : shared_(std::move(shared)),
      tokenizer_(tokenizer),
      stop_strings_(std::move(submission.stop_strings)),
      wake_(std::move(submission.wake)),
      ignore_end_of_generation_(submission.ignore_end_of_generation) {}

sched::Verdict TicketSink::on_token(OutputToken token) {
  if (!ignore_end_of_generation_ && tokenizer_.is_end_of_generation(token.token))
    return sched::Verdict::end_of_generation;
  if (!text_) text_.emplace(tokenizer_, stop_strings_);
  Output output;
  stop_ = text_->append(std::move(token), output);
  if (!output.text.empty() || !output.tokens.empty()) publish(std::move(output));
  return stop_ ? sched::Verdict::stop_string : sched::Verdict::proceed;
}

void TicketSink::on_embedding(std::vector<float> embedding) {
  Output output;
  output.embedding = std::move(embedding);
  publish(std::move(output));
}

void TicketSink::on_finish(Finish finish) {
  Output output;
  if (stop_) {
    finish.stop_string = stop_strings_[*stop_];
  } else if (text_) {
    text_->finish(output);
  }
  output.finish = std::move(finish);
  publish(std::move(output));
}

void TicketSink::publish(Output&& output) {
  shared_->add(std::move(output));
  if (wake_) wake_();
}

}  // namespace stint::engine
