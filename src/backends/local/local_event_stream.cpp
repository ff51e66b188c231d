#include "backends/local/local_event_stream.h"

namespace stint::local {

namespace {

chat::FinishReason finish_reason(engine::FinishReason reason) {
  switch (reason) {
    case engine::FinishReason::end_of_generation:
      return chat::FinishReason::stop;
    case engine::FinishReason::stop_string:
      return chat::FinishReason::stop_string;
    case engine::FinishReason::length:
      return chat::FinishReason::length;
    case engine::FinishReason::context_window:
      return chat::FinishReason::context_window;
    case engine::FinishReason::cancelled:
    case engine::FinishReason::failed:
      break;
  }
  STINT_ASSERT(false);
}

}  // namespace

LocalEventStream::LocalEventStream(std::shared_ptr<engine::Engine> engine, std::shared_ptr<WakeSignal> wake,
                                   std::vector<engine::Ticket> tickets, Facts facts)
    : engine_(std::move(engine)),
      wake_(std::move(wake)),
      tickets_(std::move(tickets)),
      wants_logprobs_(facts.wants_logprobs) {
  STINT_ASSERT(!tickets_.empty());
  chat::Event start{.kind = chat::Event::Kind::start};
  start.usage.input_tokens = facts.prompt_tokens;
  events_.push_back(std::move(start));
}

net::Task<Result<chat::Event>> LocalEventStream::next(base::Deadline deadline) {
  while (true) {
    if (cancelled_) co_return fail(ErrorKind::cancelled, "the answer was cancelled");
    if (events_.empty()) collect();
    if (!events_.empty()) {
      chat::Event event = std::move(events_.front());
      events_.pop_front();
      co_return event;
    }
    if (co_await wake_->wait(deadline)) continue;
    if ((co_await net::current_scope()).cancelled()) co_return fail(ErrorKind::cancelled, "the answer was cancelled");
    co_return fail(ErrorKind::timeout, "the local model gave nothing within the deadline");
  }
}

void LocalEventStream::cancel() {
  cancelled_ = true;
  for (engine::Ticket& ticket : tickets_) ticket.cancel();
  wake_->notify();
}

void LocalEventStream::collect() {
  for (std::size_t i = 0; i < tickets_.size(); ++i) {
    if (std::optional<engine::Output> output = tickets_[i].try_next()) {
      take(static_cast<std::uint32_t>(i), std::move(*output));
    }
  }
}

void LocalEventStream::take(std::uint32_t index, engine::Output output) {
  if (!output.text.empty() || !output.tokens.empty()) {
    chat::Event delta{.kind = chat::Event::Kind::text_delta, .text = std::move(output.text), .index = index};
    if (wants_logprobs_) delta.logprobs = logprobs(output.tokens);
    delta.token_count = static_cast<std::uint32_t>(output.tokens.size());
    events_.push_back(std::move(delta));
  }
  if (!output.embedding.empty()) {
    chat::Event embedding{.kind = chat::Event::Kind::embedding, .index = index};
    embedding.embedding = std::move(output.embedding);
    events_.push_back(std::move(embedding));
  }
  if (output.finish) take_finish(index, *output.finish);
}

void LocalEventStream::take_finish(std::uint32_t index, const engine::Finish& finish) {
  ++finished_count_;
  usage_.input_tokens += finish.prompt_tokens - finish.cached_prompt_tokens;
  usage_.cache_read_tokens += finish.cached_prompt_tokens;
  usage_.output_tokens += finish.output_tokens;
  if (finish.reason == engine::FinishReason::cancelled || finish.reason == engine::FinishReason::failed) {
    Error error = finish.error.value_or(Error{.kind = ErrorKind::cancelled, .message = "the answer was cancelled"});
    events_.push_back({.kind = chat::Event::Kind::error, .error = std::move(error)});
    return;
  }
  chat::Event event{.kind = chat::Event::Kind::choice_finish, .index = index};
  event.finish_reason = finish_reason(finish.reason);
  event.stop_string = finish.stop_string;
  if (tickets_.size() > 1) events_.push_back(event);
  if (finished_count_ < tickets_.size()) return;
  event.kind = chat::Event::Kind::finish;
  event.usage = usage_;
  events_.push_back(std::move(event));
}

std::vector<chat::SampledLogprob> LocalEventStream::logprobs(const std::vector<engine::OutputToken>& tokens) const {
  std::vector<chat::SampledLogprob> described;
  for (const engine::OutputToken& token : tokens) {
    chat::SampledLogprob& entry = described.emplace_back();
    entry.sampled = describe(token.sampled);
    for (const engine::Logprob& candidate : token.top) entry.top.push_back(describe(candidate));
  }
  return described;
}

chat::TokenLogprob LocalEventStream::describe(const engine::Logprob& logprob) const {
  return {.token = std::string(engine_->tokenizer().token_bytes(logprob.token)),
          .token_id = logprob.token,
          .logprob = logprob.logprob};
}

}  // namespace stint::local
