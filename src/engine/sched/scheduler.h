// Scheduler: decides what each step computes. Continuous batching: sequences join and leave at every step; running
// decodes come first, chunks of prompts fill the rest of the step's token budget. Pure: no threads, no clock of its
// own, no model; the driver calls plan(), runs the model, calls complete(). Not thread-safe. Owns the sequences;
// borrows the page pool. Limits: those of `Limits`.
//
// Guarantees, each held by the property test: every accepted submission gets exactly one finish; every resident
// advances in every step; queued work ages, so nothing starves; the head of the queue is never overtaken by a smaller
// one behind it; no step exceeds its budget; what a sequence answers depends on nothing but itself.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/kv/page_pool.h"
#include "engine/messages.h"
#include "engine/model/step_plan.h"
#include "engine/sched/limits.h"
#include "engine/sched/sequence.h"

namespace stint::sched {

struct Counters {
  std::uint64_t prefill_tokens = 0;
  std::uint64_t decode_tokens = 0;
  std::uint64_t dropped_tokens = 0;  // computed positions given up under page pressure, to be computed again
  std::uint64_t finished = 0;        // all reasons
  std::uint64_t cancelled = 0;
  std::uint64_t preempted = 0;
  std::uint64_t left_queue = 0;  // submissions that ended their first wait: started or finished
};

class Scheduler {
 public:
  Scheduler(const Limits& limits, kv::PagePool& pool);

  // False, and the arguments untouched, when the queue is full. Requires a submission that engine::check_submission
  // accepts and whose prompt and output limit fit the pool.
  bool submit(engine::Submission& submission, std::unique_ptr<TokenSink>& sink, base::TimePoint submitted_at);

  // Ends cancelled and late sequences, admits waiting ones, and says what the next step computes; no slices if there is
  // nothing to do. Valid until complete().
  const model::StepPlan& plan(base::TimePoint now);
  // The planned step was computed into `output`.
  void complete(const model::StepOutput& output, base::TimePoint now);
  // Every sequence ends with `error`.
  void fail_all(const base::Error& error, base::TimePoint now);

  bool idle() const { return residents_.empty() && queued_.empty(); }
  std::uint32_t running_count() const { return static_cast<std::uint32_t>(residents_.size()); }
  std::uint32_t queued_count() const { return static_cast<std::uint32_t>(queued_.size()); }
  const Counters& counters() const { return counters_; }

  // Asserts the invariants of pool, sequences and residency. O(pages); for tests and idle time.
  void check_integrity() const;

 private:
  using Sequences = std::vector<std::unique_ptr<Sequence>>;

  void drop_ended(Sequences& sequences, base::TimePoint now);
  void admit(base::TimePoint now);
  Sequences::iterator first_in_line(std::uint32_t bound, base::TimePoint now);
  bool try_start(Sequences::iterator queued, base::TimePoint now);
  void pause(Sequence* victim, base::TimePoint now);
  void deal_budget();
  void add_slice(Sequence& sequence, std::uint32_t token_count, base::TimePoint now);
  void secure_pages(Sequence& sequence, std::uint32_t token_count, base::TimePoint now);
  void digest(Sequence& sequence, std::size_t slice, const model::StepOutput& output, base::TimePoint now);
  void end(Sequence& sequence, Sequence::Ending ending, base::TimePoint now);

  const Limits limits_;
  kv::PagePool& pool_;
  Sequences residents_;  // prefilling or decoding; in order of service after plan()
  Sequences queued_;     // waiting or paused
  std::uint64_t arrivals_ = 0;
  Counters counters_;

  model::StepPlan plan_;
  std::vector<Sequence*> planned_;     // of each slice
  std::vector<std::uint32_t> shares_;  // tokens dealt to each resident
  sample::SampleScratch scratch_;
};

}  // namespace stint::sched
