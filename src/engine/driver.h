// Driver: the engine's loop over a loaded model. run() is called by one thread, the engine driver, which is also kernel
// worker 0 and the only one to touch scheduler, pages and model; submit(), stop() and stats() are for any thread.
// Owns scheduler and KV pages; borrows model, tokenizer and clock. Limits: sched::Limits; kQueueCountMax submissions
// that have not started. Blocks when there is nothing to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "engine/engine.h"
#include "engine/kv/page_pool.h"
#include "engine/model/model.h"
#include "engine/sched/scheduler.h"
#include "engine/ticket_sink.h"
#include "platform/base/bounded_queue.h"

namespace stint::engine {

class Driver {
 public:
  // `limits.vocabulary_count` is taken from the model.
  Driver(model::Model& model, const tokenizer::Tokenizer& tokenizer, const sched::Limits& limits,
         const kv::PageShape& page_shape, std::uint32_t page_count, const base::Clock& clock);

  // As Engine::submit.
  Result<Ticket> submit(Submission submission);
  // Serves submissions until stop(); those still open then end with `unavailable`.
  void run();
  void stop();
  EngineStats stats() const;

 private:
  struct Entry {
    Submission submission;
    std::unique_ptr<sched::TokenSink> sink;
    base::TimePoint submitted_at;
  };

  bool wait_for_work();
  void take(Entry& entry);
  void step();
  void settle_waiting();
  void publish_stats(base::Duration step_time, std::size_t token_count);
  void fail_open();

  model::Model& model_;
  const tokenizer::Tokenizer& tokenizer_;
  const sched::Limits limits_;
  const base::Clock& clock_;
  kv::PagePool pool_;
  sched::Scheduler scheduler_;
  model::StepOutput output_;

  base::BoundedQueue<Entry> inbox_{kQueueCountMax};
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint32_t> waiting_{0};  // submitted and not started, in the inbox or the scheduler's queue
  std::uint64_t left_queue_seen_ = 0;
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> rejected_{0};
  mutable std::mutex stats_mutex_;
  EngineStats stats_;  // guarded by stats_mutex_; without the three counts above
};

}  // namespace stint::engine
