#include "engine/sched/scheduler.h"

#include <gtest/gtest.h>

#include "tests/engine/sched/sched_harness.h"

namespace stint::sched {
namespace {

using engine::FinishReason;
using engine::Priority;
using fakes::HashModel;
using std::chrono::milliseconds;
using std::chrono::seconds;

bool contains(const HashModel::LoggedStep& step, TokenId mark) {
  return std::any_of(step.begin(), step.end(), [mark](const auto& slice) { return slice.first_token == mark; });
}

// Forbids the end-of-generation token, so that an answer has exactly the length asked for.
engine::Submission exact(engine::Submission submission) {
  submission.sampling.logit_bias = {{0, -100.0f}};
  return submission;
}

TEST(Scheduler, answers_one_submission_token_by_token) {
  Harness harness(Harness::limits(16, 100, 100), 10);
  const auto answer = harness.submit(exact(submission(3, 20, 5)));
  harness.run();
  EXPECT_EQ(answer->tokens.size(), 5U);
  ASSERT_EQ(answer->finish_count, 1U);
  EXPECT_EQ(answer->finish->reason, FinishReason::length);
  EXPECT_EQ(answer->finish->prompt_tokens, 20U);
  EXPECT_EQ(answer->finish->output_tokens, 5U);
  EXPECT_EQ(harness.log().size(), 2U + 4U) << "two chunks of the prompt, then one step for each further token";
}

TEST(Scheduler, times_of_queue_prefill_and_decode_add_up) {
  Harness harness(Harness::limits(16, 100, 100), 10);
  const auto answer = harness.submit(exact(submission(3, 20, 3)));
  harness.run();  // a step takes 10 ms before its plan and 10 ms until it is complete
  EXPECT_EQ(answer->finish->queue_time, milliseconds(10));
  EXPECT_EQ(answer->finish->prefill_time, milliseconds(30));
  EXPECT_EQ(answer->finish->decode_time, milliseconds(40));
}

TEST(Scheduler, the_context_ends_an_answer_under_its_own_name) {
  Harness harness(Harness::limits(64, 100, 30), 10);
  const auto cut = harness.submit(exact(submission(3, 20, 50)));
  const auto whole = harness.submit(exact(submission(4, 20, 10)));
  harness.run();
  EXPECT_EQ(cut->tokens.size(), 10U);
  EXPECT_EQ(cut->finish->reason, FinishReason::context_window);
  EXPECT_EQ(whole->finish->reason, FinishReason::length);
}

TEST(Scheduler, the_sink_ends_an_answer) {
  Harness harness(Harness::limits(64, 200, 100), 20);
  const auto stopped = harness.submit(exact(submission(3, 5, 50)), 4);
  engine::Submission ending = submission(4, 5, 50);
  ending.sampling.logit_bias = {{0, 100.0f}};
  const auto ended = harness.submit(ending);
  harness.run();
  EXPECT_EQ(stopped->finish->reason, FinishReason::stop_string);
  EXPECT_EQ(stopped->finish->output_tokens, 4U);
  EXPECT_EQ(ended->finish->reason, FinishReason::end_of_generation);
  EXPECT_EQ(ended->finish->output_tokens, 0U) << "the end-of-generation token is no output";
}

TEST(Scheduler, decodes_go_on_while_a_long_prompt_is_read) {
  Harness harness(Harness::limits(16, 400, 300), 40);
  const auto running = harness.submit(exact(submission(3, 4, 40)));
  harness.step();
  const auto reading = harness.submit(exact(submission(4, 150, 1)));
  for (int i = 0; i < 10; ++i) {
    const std::size_t before = running->tokens.size();
    harness.step();
    EXPECT_EQ(running->tokens.size(), before + 1);
  }
  EXPECT_EQ(reading->tokens.size(), 1U) << "15 tokens of its prompt fit beside the decode in every step";
}

TEST(Scheduler, a_cancelled_sequence_is_not_in_the_next_step) {
  Harness harness(Harness::limits(16, 500, 300), 40);
  const auto decoding = harness.submit(exact(submission(3, 4, 40)));
  const auto reading = harness.submit(exact(submission(4, 200, 40)));
  const auto waiting = harness.submit(exact(submission(5, 290, 10)));
  for (int i = 0; i < 3; ++i) harness.step();
  EXPECT_TRUE(contains(harness.log().back(), 3));
  EXPECT_TRUE(contains(harness.log().back(), 4));
  for (const auto& answer : {decoding, reading, waiting}) answer->cancelled = true;
  const auto other = harness.submit(exact(submission(6, 4, 2)));
  harness.step();
  EXPECT_EQ(harness.log().back().size(), 1U);
  EXPECT_TRUE(contains(harness.log().back(), 6));
  for (const auto& answer : {decoding, reading, waiting}) {
    ASSERT_EQ(answer->finish_count, 1U);
    EXPECT_EQ(answer->finish->reason, FinishReason::cancelled);
  }
  EXPECT_EQ(harness.scheduler().counters().cancelled, 3U);
  harness.run();
}

TEST(Scheduler, a_passed_deadline_ends_a_sequence_with_timeout) {
  Harness harness(Harness::limits(16, 100, 100), 10);
  engine::Submission late = exact(submission(3, 4, 90));
  late.deadline = base::Deadline::after(harness.clock(), milliseconds(100));
  const auto answer = harness.submit(late);
  harness.run();
  ASSERT_EQ(answer->finish->reason, FinishReason::failed);
  EXPECT_EQ(answer->finish->error->kind, ErrorKind::timeout);
  EXPECT_GT(answer->tokens.size(), 0U);
}

TEST(Scheduler, a_full_queue_refuses_and_leaves_the_submission) {
  Limits limits = Harness::limits(16, 50, 50);
  limits.queued_count_max = 2;
  Harness harness(limits, 10);
  EXPECT_TRUE(harness.submit(submission(1, 4, 4)));
  EXPECT_TRUE(harness.submit(submission(2, 4, 4)));
  EXPECT_FALSE(harness.submit(submission(3, 4, 4)));
  harness.run();
}

TEST(Scheduler, urgent_work_that_needs_room_pauses_the_least_important_at_the_next_step) {
  Harness harness(Harness::limits(64, 100, 100), 30);
  const auto batch = harness.submit(exact(submission(3, 10, 40, Priority::batch)));
  const auto normal = harness.submit(exact(submission(4, 10, 40, Priority::normal)));
  harness.step();
  const auto urgent = harness.submit(exact(submission(5, 10, 30, Priority::urgent)));
  harness.step();
  EXPECT_EQ(urgent->tokens.size(), 1U) << "first token in the first step after it came";
  EXPECT_FALSE(contains(harness.log().back(), 3));
  EXPECT_TRUE(contains(harness.log().back(), 4));
  EXPECT_EQ(harness.scheduler().counters().preempted, 1U);
  harness.run();
  EXPECT_EQ(batch->tokens, alone(exact(submission(3, 10, 40)), 100).tokens);
  EXPECT_EQ(normal->tokens.size(), 40U);
  EXPECT_EQ(harness.scheduler().counters().dropped_tokens, 0U) << "paused work keeps its pages while there are enough";
}

TEST(Scheduler, dropped_pages_are_recomputed_in_their_roles_and_the_answer_is_the_same) {
  Harness harness(Harness::limits(8, 100, 100), 7);
  const auto batch = harness.submit(exact(submission(3, 40, 50, Priority::batch)));
  for (int i = 0; i < 20; ++i) harness.step();
  ASSERT_GT(batch->tokens.size(), 10U);
  const auto urgent = harness.submit(exact(submission(5, 60, 20, Priority::urgent)));
  harness.run();
  EXPECT_GT(harness.scheduler().counters().dropped_tokens, 0U);
  EXPECT_EQ(batch->tokens, alone(exact(submission(3, 40, 50)), 100).tokens);
  EXPECT_EQ(urgent->tokens, alone(exact(submission(5, 60, 20)), 100).tokens);
  bool recomputed_decodes = false;
  for (const auto& step : harness.log())
    for (const auto& slice : step) recomputed_decodes |= slice.role == kv::Role::decode && slice.token_count > 1;
  EXPECT_TRUE(recomputed_decodes) << "output is computed again in slices of several tokens";
}

TEST(Scheduler, equals_do_not_preempt_each_other) {
  Harness harness(Harness::limits(64, 60, 60), 10);
  const auto first = harness.submit(exact(submission(3, 10, 40, Priority::urgent)));
  harness.step();
  const auto second = harness.submit(exact(submission(4, 10, 40, Priority::urgent)));
  harness.step();
  EXPECT_TRUE(second->tokens.empty());
  harness.run();
  EXPECT_EQ(harness.scheduler().counters().preempted, 0U);
  EXPECT_EQ(first->tokens.size(), 40U);
}

TEST(Scheduler, a_huge_output_limit_keeps_nobody_waiting_until_the_output_is_there) {
  Harness harness(Harness::limits(64, 400, 2000), 200);
  const auto agent = harness.submit(exact(submission(3, 20, 1500)));
  const auto other = harness.submit(exact(submission(4, 20, 300)));
  harness.step();
  EXPECT_EQ(agent->tokens.size(), 1U);
  EXPECT_EQ(other->tokens.size(), 1U) << "both run although 1,520 + 320 tokens would not fit 400";
  harness.run();
  EXPECT_GT(harness.scheduler().counters().preempted, 0U) << "once their outputs had grown, one had to pause";
  EXPECT_EQ(agent->tokens.size(), 1500U);
  EXPECT_EQ(other->tokens.size(), 300U);
}

TEST(Scheduler, long_waiting_does_not_make_equals_preempt_each_other) {
  Harness harness(Harness::limits(64, 60, 500), 40);
  const auto first = harness.submit(exact(submission(3, 10, 450)));
  harness.step();
  const auto second = harness.submit(exact(submission(4, 40, 10)));
  harness.clock().advance(seconds(60));
  harness.step();
  EXPECT_TRUE(second->tokens.empty());
  while (first->finish_count == 0) ASSERT_TRUE(harness.step());
  EXPECT_EQ(harness.scheduler().counters().preempted, 0U);
  harness.run();
  EXPECT_EQ(second->tokens.size(), 10U);
}

TEST(Scheduler, urgent_work_passes_an_aged_head_that_waits_for_room_a_bounded_number_of_times) {
  Harness harness(Harness::limits(64, 100, 100), 20);
  const auto running = harness.submit(exact(submission(3, 10, 60)));
  harness.step();
  const auto large = harness.submit(exact(submission(4, 60, 30, Priority::batch)));
  harness.clock().advance(seconds(60));
  const auto urgent = harness.submit(exact(submission(5, 10, 10, Priority::urgent)));
  harness.step();
  EXPECT_EQ(urgent->tokens.size(), 1U);
  EXPECT_TRUE(large->tokens.empty());
  int passed = 0;
  while (large->tokens.empty()) {
    while (harness.scheduler().queued_count() < 4) {
      ASSERT_TRUE(harness.submit(exact(submission(6, 10, 10, Priority::urgent))));
      ++passed;
    }
    ASSERT_TRUE(harness.step());
    ASSERT_LT(passed, 100) << "a flood of small urgent requests must not starve it";
  }
  harness.run();
  EXPECT_EQ(large->tokens.size(), 30U);
  EXPECT_EQ(running->tokens.size(), 60U);
}

TEST(Scheduler, a_lone_longer_sequence_may_exceed_the_resident_tokens) {
  Harness harness(Harness::limits(64, 50, 200), 20);
  const auto small = harness.submit(exact(submission(3, 10, 10)));
  const auto large = harness.submit(exact(submission(4, 150, 20)));
  const auto behind = harness.submit(exact(submission(5, 10, 10)));
  harness.step();
  EXPECT_TRUE(large->tokens.empty());
  while (large->finish_count == 0) {
    ASSERT_TRUE(harness.step());
    EXPECT_TRUE(behind->tokens.empty()) << "the smaller one behind does not overtake";
  }
  harness.run();
  EXPECT_EQ(small->tokens.size(), 10U);
  EXPECT_EQ(large->tokens.size(), 20U);
  EXPECT_EQ(behind->tokens.size(), 10U);
}

TEST(Scheduler, batch_work_is_served_under_a_flood_of_urgent_work) {
  Harness harness(Harness::limits(64, 40, 40), 10);
  const auto batch = harness.submit(exact(submission(3, 10, 20, Priority::batch)));
  std::vector<std::shared_ptr<Answer>> flood;
  int steps = 0;
  for (; batch->finish_count == 0 && steps < 5000; ++steps) {
    while (harness.scheduler().queued_count() < 8) {
      flood.push_back(harness.submit(exact(submission(7, 10, 20, Priority::urgent))));
      ASSERT_TRUE(flood.back());
    }
    harness.step();
  }
  EXPECT_EQ(batch->tokens.size(), 20U);
  EXPECT_GT(steps, 400) << "not before it has aged two classes, at 5 s each and 20 ms a step";
  EXPECT_LT(steps, 650);
  for (const auto& answer : flood) answer->cancelled = true;
  harness.run();
}

TEST(Scheduler, embeddings_do_not_depend_on_the_company) {
  engine::Submission embed = submission(3, 300, 1);
  embed.kind = engine::Submission::Kind::embed;
  const Answer expected = alone(embed, 400);
  ASSERT_EQ(expected.embedding.size(), HashModel::kEmbeddingSize);
  double square = 0;
  for (const float value : expected.embedding) square += static_cast<double>(value) * static_cast<double>(value);
  EXPECT_NEAR(square, 1.0, 1e-6);
  EXPECT_EQ(expected.finish->reason, FinishReason::end_of_generation);
  EXPECT_EQ(expected.finish->prompt_tokens, 300U);

  Harness harness(Harness::limits(200, 900, 400), 60);
  const auto decoding = harness.submit(exact(submission(4, 10, 30)));
  harness.step();
  const auto reading = harness.submit(exact(submission(5, 150, 10)));
  const auto answer = harness.submit(embed);
  harness.run();
  EXPECT_EQ(answer->embedding, expected.embedding) << "to the last bit";
  EXPECT_EQ(reading->tokens, alone(exact(submission(5, 150, 10)), 400).tokens);
}

TEST(Scheduler, an_embedding_survives_the_loss_of_its_pages) {
  engine::Submission embed = submission(3, 300, 1, Priority::batch);
  embed.kind = engine::Submission::Kind::embed;
  Harness harness(Harness::limits(128, 400, 400), 25);
  const auto answer = harness.submit(embed);
  harness.step();
  harness.step();
  const auto urgent = harness.submit(exact(submission(5, 300, 50, Priority::urgent)));
  harness.run();
  EXPECT_GT(harness.scheduler().counters().dropped_tokens, 0U);
  EXPECT_EQ(answer->embedding, alone(embed, 400).embedding);
  EXPECT_EQ(urgent->tokens.size(), 50U);
}

TEST(Scheduler, failing_all_ends_everyone_once) {
  Harness harness(Harness::limits(64, 60, 60), 10);
  const auto running = harness.submit(exact(submission(3, 10, 40)));
  const auto waiting = harness.submit(exact(submission(4, 10, 40)));
  harness.step();
  harness.scheduler().fail_all({ErrorKind::unavailable, "The engine is shutting down.", {}, {}}, harness.clock().now());
  EXPECT_TRUE(harness.scheduler().idle());
  for (const auto& answer : {running, waiting}) {
    ASSERT_EQ(answer->finish_count, 1U);
    EXPECT_EQ(answer->finish->error->kind, ErrorKind::unavailable);
  }
  harness.run();
}

TEST(Scheduler, counters_tell_prefill_from_decode) {
  Harness harness(Harness::limits(64, 60, 60), 10);
  harness.submit(exact(submission(3, 10, 5)));
  harness.run();
  const Counters& counters = harness.scheduler().counters();
  EXPECT_EQ(counters.prefill_tokens, 10U);
  EXPECT_EQ(counters.decode_tokens, 4U);
  EXPECT_EQ(counters.finished, 1U);
  EXPECT_EQ(counters.left_queue, 1U);
}

}  // namespace
}  // namespace stint::sched
