#include "backends/local/sampling.h"

#include <gtest/gtest.h>

namespace stint::local {
namespace {

TEST(SamplingParams, every_field_of_the_client_arrives) {
  chat::Sampling asked;
  asked.temperature = 0.5f;
  asked.top_k = 7;
  asked.top_p = 0.9f;
  asked.min_p = 0.1f;
  asked.repetition_penalty = 1.2f;
  asked.frequency_penalty = 0.3f;
  asked.presence_penalty = 0.4f;
  asked.logit_bias = {{3, -100.0f}};
  asked.seed = 42;
  asked.logprobs = true;
  asked.top_logprobs = 99;
  const engine::SamplingParams params = sampling_params(asked, 1);
  EXPECT_EQ(params.temperature, 0.5f);
  EXPECT_EQ(params.top_k, 7u);
  EXPECT_EQ(params.top_p, 0.9f);
  EXPECT_EQ(params.min_p, 0.1f);
  EXPECT_EQ(params.repetition_penalty, 1.2f);
  EXPECT_EQ(params.frequency_penalty, 0.3f);
  EXPECT_EQ(params.presence_penalty, 0.4f);
  EXPECT_EQ(params.logit_bias, asked.logit_bias);
  EXPECT_EQ(params.seed, 42u);
  EXPECT_TRUE(params.logprobs);
  EXPECT_EQ(params.top_logprobs, engine::kTopLogprobsMax);
}

TEST(SamplingParams, what_is_absent_leaves_the_distribution_alone) {
  const engine::SamplingParams params = sampling_params({}, 9);
  EXPECT_EQ(params.temperature, 1.0f);
  EXPECT_EQ(params.top_k, 0u);
  EXPECT_EQ(params.top_p, 1.0f);
  EXPECT_EQ(params.repetition_penalty, 1.0f);
  EXPECT_EQ(params.seed, 9u);
}

}  // namespace
}  // namespace stint::local
