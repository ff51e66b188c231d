#include "engine/sched/sequence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/sched/sched_harness.h"

namespace stint::sched {
namespace {

using engine::FinishReason;
using engine::Priority;
using std::chrono::seconds;

class SequenceTest : public testing::Test {
 protected:
  std::unique_ptr<Sequence> make(engine::Submission submission) {
    return std::make_unique<Sequence>(std::move(submission), std::make_unique<RecordingSink>(answer_), limits_, pool_,
                                      0, clock_.now());
  }

  // Computes the next `count` tokens; the logits, where wanted, make `next` the greedy choice.
  std::optional<Sequence::Ending> compute(Sequence& sequence, std::uint32_t count, TokenId next) {
    EXPECT_TRUE(sequence.pages().grow_to(sequence.computed_tokens() + count));
    const model::SequenceSlice slice = sequence.slice(count, clock_.now());
    sequence.advance(count);
    if (slice.want != model::Want::last_logits) return std::nullopt;
    std::vector<float> logits(limits_.vocabulary_count, 0.0f);
    logits[next] = 9;
    return sequence.sample(logits, scratch_, clock_.now());
  }

  engine::Submission greedy(std::uint32_t prompt_count, std::uint32_t max_output_tokens) {
    engine::Submission out = submission(3, prompt_count, max_output_tokens);
    out.sampling.temperature = 0;
    return out;
  }

  Limits limits_ = Harness::limits(64, 1000, 500);
  fakes::FakeClock clock_;
  kv::PagePool pool_{fakes::HashModel::page_shape(), 64};
  std::shared_ptr<Answer> answer_ = std::make_shared<Answer>();
  sample::SampleScratch scratch_;
};

TEST_F(SequenceTest, prompt_then_one_decode_token_a_step) {
  const auto sequence = make(greedy(20, 3));
  EXPECT_EQ(sequence->state(), State::waiting);
  EXPECT_EQ(sequence->reserved_tokens(), 23U);
  EXPECT_EQ(sequence->reserved_pages(), 2U);
  sequence->start(clock_.now());
  EXPECT_EQ(sequence->step_tokens_max(), 20U);
  EXPECT_FALSE(compute(*sequence, 15, 7));
  EXPECT_EQ(sequence->state(), State::prefilling);
  EXPECT_FALSE(compute(*sequence, 5, 7));
  EXPECT_EQ(sequence->state(), State::decoding);
  EXPECT_EQ(sequence->step_tokens_max(), 1U);
  ASSERT_TRUE(sequence->pages().grow_to(21));
  EXPECT_EQ(sequence->slice(1, clock_.now()).role, kv::Role::decode);
  EXPECT_FALSE(compute(*sequence, 1, 8));
  EXPECT_EQ(compute(*sequence, 1, 9)->reason, FinishReason::length);
  EXPECT_EQ(answer_->tokens, (std::vector<TokenId>{7, 8, 9}));
}

TEST_F(SequenceTest, dropped_positions_come_back_prompt_first_then_output_without_drawing_again) {
  const auto sequence = make(greedy(20, 40));
  sequence->start(clock_.now());
  compute(*sequence, 20, 7);
  for (int i = 0; i < 20; ++i) compute(*sequence, 1, 8);
  EXPECT_EQ(sequence->computed_tokens(), 40U);
  sequence->pause(clock_.now());
  EXPECT_EQ(sequence->drop_pages(1), 24U);
  EXPECT_EQ(sequence->computed_tokens(), 16U);
  EXPECT_EQ(sequence->pages().pages().size(), 1U);

  sequence->start(clock_.now());
  EXPECT_EQ(sequence->state(), State::prefilling);
  EXPECT_EQ(sequence->step_tokens_max(), 4U) << "up to the border of the prompt";
  EXPECT_FALSE(compute(*sequence, 4, 1));
  EXPECT_EQ(answer_->tokens.size(), 21U) << "the prompt's last position draws nothing a second time";
  EXPECT_EQ(sequence->step_tokens_max(), 21U);
  ASSERT_TRUE(sequence->pages().grow_to(41));
  EXPECT_EQ(sequence->slice(21, clock_.now()).role, kv::Role::decode);
  compute(*sequence, 20, 1);
  EXPECT_EQ(answer_->tokens.size(), 21U);
  EXPECT_EQ(sequence->state(), State::decoding);
  compute(*sequence, 1, 9);
  EXPECT_EQ(answer_->tokens.size(), 22U);
  EXPECT_EQ(answer_->tokens.back(), 9U);
}

TEST_F(SequenceTest, queued_time_raises_the_class_and_the_gain_is_kept) {
  engine::Submission batch = greedy(4, 4);
  batch.priority = Priority::batch;
  const auto sequence = make(std::move(batch));
  EXPECT_EQ(sequence->priority_class(clock_.now()), 2U);
  clock_.advance(limits_.ageing_step);
  EXPECT_EQ(sequence->priority_class(clock_.now()), 1U);
  sequence->start(clock_.now());
  clock_.advance(10 * limits_.ageing_step);
  EXPECT_EQ(sequence->priority_class(clock_.now()), 1U) << "running is not waiting";
  sequence->pause(clock_.now());
  clock_.advance(limits_.ageing_step);
  EXPECT_EQ(sequence->priority_class(clock_.now()), 0U);
  clock_.advance(10 * limits_.ageing_step);
  EXPECT_EQ(sequence->priority_class(clock_.now()), 0U);
}

TEST_F(SequenceTest, unusable_logits_end_the_sequence_with_an_error) {
  const auto sequence = make(greedy(4, 4));
  sequence->start(clock_.now());
  ASSERT_TRUE(sequence->pages().grow_to(4));
  sequence->slice(4, clock_.now());
  sequence->advance(4);
  const std::vector<float> logits(limits_.vocabulary_count, std::nanf(""));
  const auto ending = sequence->sample(logits, scratch_, clock_.now());
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->reason, FinishReason::failed);
  EXPECT_EQ(ending->error->kind, ErrorKind::internal);
}

TEST_F(SequenceTest, output_is_reserved_in_blocks_as_it_grows) {
  const auto sequence = make(greedy(20, 400));
  EXPECT_EQ(sequence->tokens_max(), 420U);
  EXPECT_EQ(sequence->reserved_tokens(), 20U + kOutputReserveTokens);
  sequence->start(clock_.now());
  compute(*sequence, 20, 7);
  for (std::uint32_t i = 1; i < kOutputReserveTokens; ++i) compute(*sequence, 1, 7);
  EXPECT_EQ(sequence->reserved_tokens(), 20U + 2 * kOutputReserveTokens);
}

TEST_F(SequenceTest, finishing_frees_the_pages) {
  const auto sequence = make(greedy(40, 4));
  sequence->start(clock_.now());
  compute(*sequence, 40, 7);
  EXPECT_LT(pool_.free_count(), pool_.page_count());
  sequence->finish({FinishReason::cancelled, {}}, clock_.now());
  EXPECT_EQ(pool_.free_count(), pool_.page_count());
  EXPECT_EQ(answer_->finish_count, 1U);
}

TEST_F(SequenceTest, an_embedding_is_the_normalised_sum_of_its_slices) {
  engine::Submission embed = greedy(100, 1);
  embed.kind = engine::Submission::Kind::embed;
  const auto sequence = make(std::move(embed));
  EXPECT_EQ(sequence->reserved_tokens(), 100U);
  EXPECT_EQ(sequence->step_tokens_min(), 64U) << "a chunk of fixed size, bounded by the budget";
  sequence->start(clock_.now());
  ASSERT_TRUE(sequence->pages().grow_to(100));
  EXPECT_EQ(sequence->slice(64, clock_.now()).want, model::Want::pooled);
  sequence->advance(64);
  EXPECT_FALSE(sequence->pool(std::vector<float>{1, 0}));
  EXPECT_EQ(sequence->step_tokens_max(), 36U);
  sequence->advance(36);
  EXPECT_EQ(sequence->pool(std::vector<float>{2, 4})->reason, FinishReason::end_of_generation);
  EXPECT_EQ(answer_->embedding, (std::vector<float>{0.6f, 0.8f}));
}

}  // namespace
}  // namespace stint::sched
