// Random histories: whatever is submitted, cancelled, late or short of pages, every submission ends once, nothing
// leaks, and what it answered is what it answers alone.
#include <gtest/gtest.h>

#include "engine/sched/scheduler.h"
#include "platform/base/random.h"
#include "tests/engine/sched/sched_harness.h"

namespace stint::sched {
namespace {

using engine::FinishReason;

struct Tracked {
  engine::Submission submission;
  std::uint32_t token_limit = 0;
  std::shared_ptr<Answer> answer;
};

engine::Submission random_submission(base::Random& random, std::uint32_t context_tokens, const base::Clock& clock) {
  engine::Submission out;
  const std::uint64_t size_max = random.below(4) == 0 ? context_tokens - 1 : 20;
  for (std::uint64_t count = 1 + random.below(size_max); count > 0; --count)
    out.prompt.push_back(static_cast<TokenId>(random.below(fakes::HashModel::kVocabularyCount)));
  out.max_output_tokens = 1 + static_cast<std::uint32_t>(random.below(random.below(6) == 0 ? 200 : 12));
  if (random.below(5) == 0) out.kind = engine::Submission::Kind::embed;
  out.priority = static_cast<engine::Priority>(random.below(3));
  out.sampling.seed = random.next();
  out.sampling.temperature = random.below(2) == 0 ? 0.0f : 1.5f;
  if (random.below(3) == 0) out.sampling.repetition_penalty = 1.3f;
  if (random.below(3) == 0) out.sampling.presence_penalty = 0.8f;
  if (random.below(8) == 0) out.deadline = base::Deadline::after(clock, std::chrono::milliseconds(random.below(3000)));
  return out;
}

void check_answer(const Tracked& tracked, const Limits& limits) {
  const Answer& answer = *tracked.answer;
  ASSERT_EQ(answer.finish_count, 1U);
  // Embeddings are summed in chunks that the budget bounds, so the twin runs under the same budget.
  Harness harness(Harness::limits(limits.step_token_budget, 4096, limits.context_tokens), 256);
  engine::Submission twin = tracked.submission;
  twin.deadline = base::Deadline::never();
  const auto expected = harness.submit(twin, tracked.token_limit);
  harness.run();
  const bool cut = answer.finish->reason == FinishReason::cancelled || answer.finish->reason == FinishReason::failed;
  if (cut) {
    ASSERT_LE(answer.tokens.size(), expected->tokens.size());
    EXPECT_TRUE(std::equal(answer.tokens.begin(), answer.tokens.end(), expected->tokens.begin()));
    return;
  }
  EXPECT_EQ(answer.finish->reason, expected->finish->reason);
  EXPECT_EQ(answer.tokens, expected->tokens);
  EXPECT_EQ(answer.embedding, expected->embedding);
}

struct Totals {
  std::uint64_t submissions = 0;
  std::uint64_t preempted = 0;
  std::uint64_t dropped_tokens = 0;
  std::uint64_t cancelled = 0;
};

void run_history(std::uint64_t seed, Totals& totals) {
  base::Random random(seed);
  const auto context = 30 + static_cast<std::uint32_t>(random.below(120));
  Limits limits = Harness::limits(2 + static_cast<std::uint32_t>(random.below(40)),
                                  20 + static_cast<std::uint32_t>(random.below(200)), context);
  limits.queued_count_max = 12;
  limits.ageing_step = std::chrono::milliseconds(500);
  const std::uint32_t largest = std::max(limits.max_resident_tokens, context);
  Harness harness(limits, (largest + 15) / 16 + static_cast<std::uint32_t>(random.below(4)));

  std::vector<Tracked> all;
  for (int event = 0; event < 120; ++event) {
    const std::uint64_t what = random.below(10);
    if (what < 4) {
      Tracked tracked{random_submission(random, context, harness.clock()), 0, nullptr};
      if (random.below(4) == 0) tracked.token_limit = 1 + static_cast<std::uint32_t>(random.below(5));
      tracked.answer = harness.submit(tracked.submission, tracked.token_limit);
      if (tracked.answer) all.push_back(std::move(tracked));
    } else if (what == 4 && !all.empty()) {
      all[random.below(all.size())].answer->cancelled = true;
    } else {
      harness.step();
    }
  }
  harness.run();
  for (const Tracked& tracked : all) check_answer(tracked, limits);
  const Counters& counters = harness.scheduler().counters();
  EXPECT_EQ(counters.finished, all.size());
  EXPECT_EQ(counters.left_queue, all.size());
  totals.submissions += all.size();
  totals.preempted += counters.preempted;
  totals.dropped_tokens += counters.dropped_tokens;
  totals.cancelled += counters.cancelled;
}

TEST(SchedulerHistory, every_submission_ends_once_with_the_answer_it_has_alone) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    run_history(seed, totals);
    if (HasFatalFailure()) return;
  }
  // The histories must reach what they are about.
  EXPECT_GT(totals.submissions, 12000U);
  EXPECT_GT(totals.preempted, 200U);
  EXPECT_GT(totals.dropped_tokens, 1000U);
  EXPECT_GT(totals.cancelled, 200U);
}

}  // namespace
}  // namespace stint::sched
