#include "engine/sched/scheduler.h"

#include <algorithm>
#include <utility>

#include "engine/model/model.h"
#include "engine/sched/residency.h"
#include "platform/base/assert.h"

namespace stint::sched {

using engine::FinishReason;

Scheduler::Scheduler(const Limits& limits, kv::PagePool& pool) : limits_(limits), pool_(pool) {
  STINT_ASSERT(limits.step_token_budget > 0 && limits.step_token_budget <= model::kStepTokensMax);
  STINT_ASSERT(limits.vocabulary_count > 0 && limits.context_tokens > 0);
  STINT_ASSERT(limits.ageing_step > base::Duration::zero());
}

bool Scheduler::submit(engine::Submission& submission, std::unique_ptr<TokenSink>& sink, base::TimePoint submitted_at) {
  if (queued_.size() >= limits_.queued_count_max) return false;
  queued_.push_back(
      std::make_unique<Sequence>(std::move(submission), std::move(sink), limits_, pool_, arrivals_++, submitted_at));
  STINT_ASSERT(queued_.back()->tokens_max() <= std::uint64_t{pool_.page_count()} * kv::kPageTokens);
  return true;
}

const model::StepPlan& Scheduler::plan(base::TimePoint now) {
  plan_.slices.clear();
  planned_.clear();
  drop_ended(residents_, now);
  drop_ended(queued_, now);
  for (Sequence* victim : overflow_victims(residents_, limits_, pool_.page_count(), now)) pause(victim, now);
  admit(now);
  std::sort(residents_.begin(), residents_.end(), [now](const auto& a, const auto& b) {
    const bool a_decodes = a->state() == State::decoding;
    const bool b_decodes = b->state() == State::decoding;
    return a_decodes != b_decodes ? a_decodes : goes_before(*a, *b, now);
  });
  deal_budget();
  for (std::size_t i = 0; i < residents_.size(); ++i) add_slice(*residents_[i], shares_[i], now);
  return plan_;
}

void Scheduler::complete(const model::StepOutput& output, base::TimePoint now) {
  for (std::size_t slice = 0; slice < planned_.size(); ++slice) digest(*planned_[slice], slice, output, now);
  std::erase_if(residents_, [](const auto& sequence) { return sequence->state() == State::finished; });
  plan_.slices.clear();
  planned_.clear();
}

void Scheduler::fail_all(const base::Error& error, base::TimePoint now) {
  for (Sequences* sequences : {&residents_, &queued_}) {
    for (const auto& sequence : *sequences) end(*sequence, {FinishReason::failed, error}, now);
    sequences->clear();
  }
}

void Scheduler::drop_ended(Sequences& sequences, base::TimePoint now) {
  std::erase_if(sequences, [&](const auto& sequence) {
    if (sequence->cancelled()) {
      end(*sequence, {FinishReason::cancelled, {}}, now);
      return true;
    }
    if (!sequence->deadline().passed(now)) return false;
    end(*sequence,
        {FinishReason::failed,
         base::Error{
             base::ErrorKind::timeout, "The request's deadline passed before its answer was complete.", {}, {}}},
        now);
    return true;
  });
}

// In order of service. The head of the queue is not overtaken by what merely fits better, or a large one would wait for
// ever; only work of a more urgent class may pass it, a bounded number of times.
void Scheduler::admit(base::TimePoint now) {
  constexpr std::uint32_t kAnyClass = ~0U;
  while (!queued_.empty()) {
    const auto next = first_in_line(kAnyClass, now);
    Sequence* head = next->get();
    if (try_start(next, now)) continue;
    if (!head->may_be_passed()) return;
    const auto urgent = first_in_line(head->own_class(), now);
    if (urgent == queued_.end() || !try_start(urgent, now)) return;
    head->note_passed();
  }
}

// The first in order of service among those whose own class is more urgent than `bound`.
Scheduler::Sequences::iterator Scheduler::first_in_line(std::uint32_t bound, base::TimePoint now) {
  auto first = queued_.end();
  for (auto each = queued_.begin(); each != queued_.end(); ++each) {
    if ((*each)->own_class() >= bound) continue;
    if (first == queued_.end() || goes_before(**each, **first, now)) first = each;
  }
  return first;
}

bool Scheduler::try_start(Sequences::iterator queued, base::TimePoint now) {
  const auto victims = victims_for(**queued, residents_, limits_, pool_.page_count(), now);
  if (!victims) return false;
  if ((*queued)->state() == State::waiting) ++counters_.left_queue;
  (*queued)->start(now);
  residents_.push_back(std::move(*queued));
  queued_.erase(queued);
  for (Sequence* victim : *victims) pause(victim, now);
  return true;
}

void Scheduler::pause(Sequence* victim, base::TimePoint now) {
  const auto at = std::find_if(residents_.begin(), residents_.end(),
                               [victim](const auto& sequence) { return sequence.get() == victim; });
  STINT_ASSERT(at != residents_.end());
  victim->pause(now);
  queued_.push_back(std::move(*at));
  residents_.erase(at);
  ++counters_.preempted;
}

// Everyone gets what it needs to advance; the rest goes in order of service.
void Scheduler::deal_budget() {
  shares_.clear();
  std::uint32_t rest = limits_.step_token_budget;
  for (const auto& sequence : residents_) {
    const std::uint32_t share = std::min(sequence->step_tokens_min(), sequence->step_tokens_max());
    STINT_ASSERT(share <= rest);
    shares_.push_back(share);
    rest -= share;
  }
  for (std::size_t i = 0; i < residents_.size() && rest > 0; ++i) {
    const std::uint32_t more = std::min(rest, residents_[i]->step_tokens_max() - shares_[i]);
    shares_[i] += more;
    rest -= more;
  }
}

void Scheduler::add_slice(Sequence& sequence, std::uint32_t token_count, base::TimePoint now) {
  secure_pages(sequence, sequence.computed_tokens() + token_count, now);
  plan_.slices.push_back(sequence.slice(token_count, now));
  planned_.push_back(&sequence);
}

// Residency guarantees that paused sequences hold what is missing.
void Scheduler::secure_pages(Sequence& sequence, std::uint32_t token_count, base::TimePoint now) {
  const std::uint32_t wanted = (token_count + kv::kPageTokens - 1) / kv::kPageTokens;
  while (!sequence.pages().grow_to(token_count)) {
    const std::uint32_t missing =
        wanted - static_cast<std::uint32_t>(sequence.pages().pages().size()) - pool_.free_count();
    Sequence* victim = page_victim(queued_, now);
    STINT_ASSERT(victim != nullptr);
    const auto held = static_cast<std::uint32_t>(victim->pages().pages().size());
    counters_.dropped_tokens += victim->drop_pages(held - std::min(held, missing));
  }
}

void Scheduler::digest(Sequence& sequence, std::size_t slice, const model::StepOutput& output, base::TimePoint now) {
  const model::SequenceSlice& planned = plan_.slices[slice];
  const auto token_count = static_cast<std::uint32_t>(planned.tokens.size());
  (planned.role == kv::Role::prefill ? counters_.prefill_tokens : counters_.decode_tokens) += token_count;
  sequence.advance(token_count);
  std::optional<Sequence::Ending> ending;
  if (planned.want == model::Want::last_logits) {
    const std::size_t row = output.row_of_slice[slice];
    const std::size_t width = limits_.vocabulary_count;
    ending = sequence.sample(std::span(output.logits).subspan(row * width, width), scratch_, now);
  } else if (planned.want == model::Want::pooled) {
    ending = sequence.pool(output.pooled[slice]);
  }
  if (ending) end(sequence, *std::move(ending), now);
}

void Scheduler::end(Sequence& sequence, Sequence::Ending ending, base::TimePoint now) {
  ++counters_.finished;
  if (ending.reason == FinishReason::cancelled) ++counters_.cancelled;
  if (sequence.state() == State::waiting) ++counters_.left_queue;
  sequence.finish(std::move(ending), now);
}

void Scheduler::check_integrity() const {
  pool_.check_integrity();
  std::uint64_t held = 0;
  for (const auto& sequence : residents_) {
    STINT_ASSERT(sequence->state() == State::prefilling || sequence->state() == State::decoding);
    held += sequence->pages().pages().size();
    sequence->check_integrity();
  }
  for (const auto& sequence : queued_) {
    STINT_ASSERT(sequence->state() == State::waiting || sequence->state() == State::paused);
    held += sequence->pages().pages().size();
    sequence->check_integrity();
  }
  STINT_ASSERT(held == pool_.page_count() - pool_.free_count());
}

}  // namespace stint::sched
