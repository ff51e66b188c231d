#include "engine/driver.h"

#include <fmt/format.h>

#include <utility>

#include "engine/submission_check.h"
#include "platform/base/assert.h"

namespace stint::engine {

namespace {

sched::Limits with_vocabulary(sched::Limits limits, const model::Model& model) {
  limits.vocabulary_count = model.hyperparameters().vocabulary_count;
  return limits;
}

Error shutting_down() {
  return {ErrorKind::unavailable, "The engine is shutting down; try again once it runs.", {}, {}};
}

}  // namespace

Driver::Driver(model::Model& model, const tokenizer::Tokenizer& tokenizer, const sched::Limits& limits,
               const kv::PageShape& page_shape, std::uint32_t page_count, const base::Clock& clock)
    : model_(model),
      tokenizer_(tokenizer),
      limits_(with_vocabulary(limits, model)),
      clock_(clock),
      pool_(page_shape, page_count),
      scheduler_(limits_, pool_) {
  STINT_ASSERT(page_count * kv::kPageTokens >= limits.context_tokens);
  stats_.kv_pages_total = page_count;
}

Result<Ticket> Driver::submit(Submission submission) {
  if (const auto checked = check_submission(submission, {limits_.context_tokens, limits_.vocabulary_count}); !checked)
    return std::unexpected(checked.error());
  if (stopping_.load()) return std::unexpected(shutting_down());
  if (waiting_.fetch_add(1) >= kQueueCountMax) {
    waiting_.fetch_sub(1);
    rejected_.fetch_add(1);
    return fail(ErrorKind::overloaded,
                fmt::format("{} requests are waiting for the local model already; try again later.", kQueueCountMax));
  }
  const auto shared = std::make_shared<Ticket::Shared>();
  auto sink = std::make_unique<TicketSink>(shared, tokenizer_, submission);
  if (!inbox_.try_push({std::move(submission), std::move(sink), clock_.now()})) {
    // The count above keeps the inbox from being full, so it is closed.
    waiting_.fetch_sub(1);
    return std::unexpected(shutting_down());
  }
  submitted_.fetch_add(1);
  return Ticket(shared);
}

void Driver::run() {
  while (wait_for_work()) step();
  fail_open();
}

void Driver::stop() {
  stopping_.store(true);
  inbox_.close();
}

EngineStats Driver::stats() const {
  EngineStats stats;
  {
    const std::lock_guard lock(stats_mutex_);
    stats = stats_;
  }
  stats.submitted = submitted_.load();
  stats.rejected = rejected_.load();
  stats.waiting = waiting_.load();
  return stats;
}

// Moves submissions to the scheduler; blocks while there is nothing to do. False: stop.
bool Driver::wait_for_work() {
  if (scheduler_.idle()) {
    scheduler_.check_integrity();
    std::optional<Entry> entry = inbox_.pop();
    if (!entry) return false;
    take(*entry);
  }
  while (scheduler_.queued_count() < limits_.queued_count_max) {
    std::optional<Entry> entry = inbox_.try_pop();
    if (!entry) break;
    take(*entry);
  }
  return !stopping_.load();
}

void Driver::take(Entry& entry) {
  const bool taken = scheduler_.submit(entry.submission, entry.sink, entry.submitted_at);
  STINT_ASSERT(taken);
}

void Driver::step() {
  const base::TimePoint begin = clock_.now();
  const model::StepPlan& plan = scheduler_.plan(begin);
  const std::size_t token_count = plan.token_count();
  settle_waiting();
  if (token_count > 0) {
    model_.run(plan, output_);
    scheduler_.complete(output_, clock_.now());
  }
  publish_stats(clock_.now() - begin, token_count);
}

// Submissions that the scheduler started or ended make room for as many new ones.
void Driver::settle_waiting() {
  const std::uint64_t left = scheduler_.counters().left_queue;
  waiting_.fetch_sub(static_cast<std::uint32_t>(left - std::exchange(left_queue_seen_, left)));
}

void Driver::publish_stats(base::Duration step_time, std::size_t token_count) {
  const sched::Counters& counters = scheduler_.counters();
  const std::lock_guard lock(stats_mutex_);
  if (token_count > 0) {
    ++stats_.steps;
    stats_.step_seconds_total += std::chrono::duration<double>(step_time).count();
    stats_.batch_fill = static_cast<double>(token_count) / limits_.step_token_budget;
  }
  stats_.prefill_tokens = counters.prefill_tokens;
  stats_.decode_tokens = counters.decode_tokens;
  stats_.finished = counters.finished;
  stats_.cancelled = counters.cancelled;
  stats_.preempted = counters.preempted;
  stats_.running = scheduler_.running_count();
  stats_.kv_pages_used = pool_.page_count() - pool_.free_count();
}

void Driver::fail_open() {
  while (std::optional<Entry> entry = inbox_.try_pop()) {
    Finish finish;
    finish.reason = FinishReason::failed;
    finish.error = shutting_down();
    finish.prompt_tokens = static_cast<std::uint32_t>(entry->submission.prompt.size());
    entry->sink->on_finish(std::move(finish));
    waiting_.fetch_sub(1);
  }
  scheduler_.fail_all(shutting_down(), clock_.now());
  settle_waiting();
  publish_stats({}, 0);
}

}  // namespace stint::engine
