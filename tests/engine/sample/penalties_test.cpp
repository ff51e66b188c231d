#include "engine/sample/penalties.h"

#include <gtest/gtest.h>

namespace stint::sample {
namespace {

using engine::SamplingParams;
using engine::TokenId;

TEST(Penalties, neutral_parameters_do_nothing) {
  const std::vector<TokenId> prompt{1, 2};
  EXPECT_FALSE(Penalties(SamplingParams{}, prompt).active());
}

TEST(Penalties, repetition_moves_both_signs_down_for_prompt_and_output) {
  SamplingParams params;
  params.repetition_penalty = 2;
  const std::vector<TokenId> prompt{0};
  Penalties penalties(params, prompt);
  penalties.accept(1);
  std::vector<float> logits{4, -4, 4};
  penalties.apply(logits);
  EXPECT_EQ(logits, (std::vector<float>{2, -8, 4}));
}

TEST(Penalties, repetition_forgets_what_left_the_window) {
  SamplingParams params;
  params.repetition_penalty = 2;
  params.penalty_window = 2;
  const std::vector<TokenId> prompt{0, 1, 2, 2};
  Penalties penalties(params, prompt);
  std::vector<float> logits{4, 4, 4, 4};
  penalties.apply(logits);
  EXPECT_EQ(logits, (std::vector<float>{4, 4, 2, 4})) << "0 and 1 lie before the window";
  penalties.accept(3);
  penalties.accept(0);
  logits = {4, 4, 4, 4};
  penalties.apply(logits);
  EXPECT_EQ(logits, (std::vector<float>{2, 4, 4, 2}));
}

TEST(Penalties, frequency_counts_and_presence_does_not_over_output_alone) {
  SamplingParams params;
  params.frequency_penalty = 0.5f;
  params.presence_penalty = 1;
  const std::vector<TokenId> prompt{2, 2, 2};
  Penalties penalties(params, prompt);
  penalties.accept(0);
  penalties.accept(1);
  penalties.accept(1);
  std::vector<float> logits{0, 0, 0};
  penalties.apply(logits);
  EXPECT_EQ(logits, (std::vector<float>{-1.5f, -2, 0}));
}

TEST(Penalties, tokens_beyond_the_row_are_ignored) {
  SamplingParams params;
  params.repetition_penalty = 2;
  params.presence_penalty = 1;
  const std::vector<TokenId> prompt{9};
  Penalties penalties(params, prompt);
  penalties.accept(8);
  std::vector<float> logits{1};
  penalties.apply(logits);
  EXPECT_EQ(logits, (std::vector<float>{1}));
}

}  // namespace
}  // namespace stint::sample
