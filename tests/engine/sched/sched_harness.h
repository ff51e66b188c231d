// Harness: a scheduler with a page pool, HashModel and a fake clock; step() does what the engine driver does and
// asserts after every step what must always hold. Answers are kept per submission, to be compared with the same one run
// alone.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/sched/scheduler.h"
#include "platform/base/assert.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/hash_model.h"

namespace stint::sched {

// What one sequence gave out.
struct Answer {
  std::vector<TokenId> tokens;
  std::vector<float> embedding;
  std::optional<engine::Finish> finish;
  std::uint32_t finish_count = 0;
  bool cancelled = false;
  std::uint32_t token_limit = 0;  // the sink stops by itself after so many; 0: never
};

// Token 0 of HashModel's vocabulary ends generation.
class RecordingSink final : public TokenSink {
 public:
  explicit RecordingSink(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}

  bool cancelled() const override { return answer_->cancelled; }
  Verdict on_token(engine::OutputToken token) override {
    if (token.token == 0) return Verdict::end_of_generation;
    answer_->tokens.push_back(token.token);
    return answer_->tokens.size() == answer_->token_limit ? Verdict::stop_string : Verdict::proceed;
  }
  void on_embedding(std::vector<float> embedding) override { answer_->embedding = std::move(embedding); }
  void on_finish(engine::Finish finish) override {
    answer_->finish = std::move(finish);
    ++answer_->finish_count;
  }

 private:
  std::shared_ptr<Answer> answer_;
};

class Harness {
 public:
  Harness(const Limits& limits, std::uint32_t page_count)
      : limits_(limits), pool_(fakes::HashModel::page_shape(), page_count), scheduler_(limits, pool_) {}

  static Limits limits(std::uint32_t budget, std::uint32_t resident, std::uint32_t context) {
    Limits limits;
    limits.step_token_budget = budget;
    limits.max_resident_tokens = resident;
    limits.context_tokens = context;
    limits.vocabulary_count = fakes::HashModel::kVocabularyCount;
    return limits;
  }

  // nullptr if the queue is full.
  std::shared_ptr<Answer> submit(engine::Submission submission, std::uint32_t token_limit = 0) {
    auto answer = std::make_shared<Answer>();
    answer->token_limit = token_limit;
    std::unique_ptr<TokenSink> sink = std::make_unique<RecordingSink>(answer);
    return scheduler_.submit(submission, sink, clock_.now()) ? answer : nullptr;
  }

  // False if there was nothing to compute.
  bool step() {
    clock_.advance(std::chrono::milliseconds(10));
    const model::StepPlan& plan = scheduler_.plan(clock_.now());
    STINT_ASSERT(plan.slices.size() == scheduler_.running_count());
    STINT_ASSERT(plan.token_count() <= limits_.step_token_budget);
    check_plan(plan);
    if (plan.slices.empty()) {
      STINT_ASSERT(scheduler_.idle());
      return false;
    }
    model_.run(plan, output_);
    clock_.advance(std::chrono::milliseconds(10));
    scheduler_.complete(output_, clock_.now());
    scheduler_.check_integrity();
    return true;
  }

  void run() {
    while (step()) {
    }
    STINT_ASSERT(pool_.free_count() == pool_.page_count());
  }

  Scheduler& scheduler() { return scheduler_; }
  const kv::PagePool& pool() const { return pool_; }
  fakes::FakeClock& clock() { return clock_; }
  std::vector<fakes::HashModel::LoggedStep> log() const { return model_.log(); }

 private:
  // Decodes stand before prompts, and no sequence stands twice.
  static void check_plan(const model::StepPlan& plan) {
    std::set<const kv::PageTable*> seen;
    bool prompts = false;
    for (const model::SequenceSlice& slice : plan.slices) {
      STINT_ASSERT(seen.insert(slice.pages).second);
      const bool decode = slice.role == kv::Role::decode && slice.want == model::Want::last_logits;
      prompts = prompts || slice.role == kv::Role::prefill;
      STINT_ASSERT(!decode || slice.tokens.size() > 1 || !prompts);
    }
  }

  Limits limits_;
  fakes::FakeClock clock_;
  kv::PagePool pool_;
  fakes::HashModel model_;
  Scheduler scheduler_;
  model::StepOutput output_;
};

// A prompt of `count` tokens that begins with `mark`, by which the model's log names it.
inline engine::Submission submission(TokenId mark, std::uint32_t count, std::uint32_t max_output_tokens,
                                     engine::Priority priority = engine::Priority::normal) {
  engine::Submission out;
  out.prompt.push_back(mark);
  for (std::uint32_t i = 1; i < count; ++i) out.prompt.push_back((mark * 7 + i * 3) % 50);
  out.max_output_tokens = max_output_tokens;
  out.priority = priority;
  out.sampling.seed = mark;
  return out;
}

// The answer to `submission` when nothing else runs and every limit is wide.
inline Answer alone(const engine::Submission& submission, std::uint32_t context_tokens, std::uint32_t token_limit = 0) {
  Harness harness(Harness::limits(2048, 4096, context_tokens), 256);
  const auto answer = harness.submit(submission, token_limit);
  harness.run();
  return *answer;
}

}  // namespace stint::sched
