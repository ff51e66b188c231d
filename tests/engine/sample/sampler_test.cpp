#include "engine/sample/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stint::sample {
namespace {

using engine::OutputToken;
using engine::SamplingParams;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<TokenId> draws(const SamplingParams& params, std::span<const float> logits, std::size_t count) {
  Sampler sampler(params, {});
  SampleScratch scratch;
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back(sampler.sample(logits, scratch)->token);
  return tokens;
}

std::vector<std::size_t> histogram(const SamplingParams& params, std::span<const float> logits, std::size_t count) {
  std::vector<std::size_t> counts(logits.size(), 0);
  for (const TokenId token : draws(params, logits, count)) ++counts[token];
  return counts;
}

// Pearson's statistic against the probabilities proportional to `weights`; a weight of 0 must never have been drawn.
double chi_square(const std::vector<std::size_t>& counts, const std::vector<double>& weights) {
  double total_weight = 0;
  double total_count = 0;
  for (const double weight : weights) total_weight += weight;
  for (const std::size_t count : counts) total_count += static_cast<double>(count);
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (weights[i] == 0) {
      EXPECT_EQ(counts[i], 0U) << i;
      continue;
    }
    const double expected = total_count * weights[i] / total_weight;
    const double off = static_cast<double>(counts[i]) - expected;
    statistic += off * off / expected;
  }
  return statistic;
}

const std::vector<float> kLogits{1.0f, 0.0f, 2.0f, -1.0f, 1.5f, 0.5f, -0.5f, 2.5f};

std::vector<double> exponentials(double temperature) {
  std::vector<double> weights;
  for (const float logit : kLogits) weights.push_back(std::exp(static_cast<double>(logit) / temperature));
  return weights;
}

// 99.9 % quantile of chi-square with 7 degrees of freedom.
constexpr double kChiSquareMax = 24.3;

TEST(Sampler, temperature_zero_is_greedy_and_takes_the_lowest_id_of_equals) {
  SamplingParams params;
  params.temperature = 0;
  const std::vector<float> logits{1, 3, 3, 2};
  EXPECT_EQ(draws(params, logits, 3), (std::vector<TokenId>{1, 1, 1}));
}

TEST(Sampler, draws_follow_the_softmax) {
  for (const float temperature : {0.5f, 1.0f, 2.0f}) {
    SamplingParams params;
    params.temperature = temperature;
    params.seed = 17;
    const double statistic =
        chi_square(histogram(params, kLogits, 20000), exponentials(static_cast<double>(temperature)));
    EXPECT_LT(statistic, kChiSquareMax) << temperature;
  }
}

TEST(Sampler, draws_within_top_k_keep_their_proportions) {
  SamplingParams params;
  params.top_k = 3;
  params.seed = 3;
  std::vector<double> weights = exponentials(1);
  for (const std::size_t excluded : {0U, 1U, 3U, 5U, 6U}) weights[excluded] = 0;
  EXPECT_LT(chi_square(histogram(params, kLogits, 20000), weights), kChiSquareMax);
}

TEST(Sampler, draws_within_top_p_keep_their_proportions) {
  SamplingParams params;
  params.top_p = 0.7f;  // 0.41 + 0.25 + 0.15 >= 0.7
  params.seed = 4;
  std::vector<double> weights = exponentials(1);
  for (const std::size_t excluded : {0U, 1U, 3U, 5U, 6U}) weights[excluded] = 0;
  EXPECT_LT(chi_square(histogram(params, kLogits, 20000), weights), kChiSquareMax);
}

TEST(Sampler, draws_above_min_p_keep_their_proportions) {
  SamplingParams params;
  params.min_p = 0.3f;  // e^-1 passes, e^-1.5 does not
  params.seed = 5;
  std::vector<double> weights = exponentials(1);
  for (const std::size_t excluded : {0U, 1U, 3U, 5U, 6U}) weights[excluded] = 0;
  EXPECT_LT(chi_square(histogram(params, kLogits, 20000), weights), kChiSquareMax);
}

TEST(Sampler, filters_that_leave_one_token_are_greedy) {
  for (int filter = 0; filter < 3; ++filter) {
    SamplingParams params;
    params.temperature = 5;
    if (filter == 0) params.top_k = 1;
    if (filter == 1) params.top_p = 0;
    if (filter == 2) params.min_p = 1;
    for (const TokenId token : draws(params, kLogits, 50)) EXPECT_EQ(token, 7U) << filter;
  }
}

TEST(Sampler, filters_that_exclude_nothing_change_nothing) {
  SamplingParams plain;
  plain.seed = 9;
  SamplingParams wide = plain;
  wide.top_k = 1000;
  wide.top_p = 1;
  wide.min_p = 0;
  EXPECT_EQ(draws(plain, kLogits, 200), draws(wide, kLogits, 200));
  wide.top_k = static_cast<std::uint32_t>(kLogits.size()) - 1;
  EXPECT_NE(draws(plain, kLogits, 200), draws(wide, kLogits, 200));
}

TEST(Sampler, ties_at_the_border_of_top_k_go_to_the_lowest_ids) {
  SamplingParams params;
  params.top_k = 2;
  const std::vector<float> logits(100, 1.0f);
  for (const TokenId token : draws(params, logits, 100)) EXPECT_LT(token, 2U);
}

TEST(Sampler, same_seed_same_tokens_and_another_seed_others) {
  SamplingParams params;
  params.seed = 1;
  const auto first = draws(params, kLogits, 64);
  EXPECT_EQ(draws(params, kLogits, 64), first);
  params.seed = 2;
  EXPECT_NE(draws(params, kLogits, 64), first);
}

TEST(Sampler, bias_of_100_allows_nothing_else_and_of_minus_100_forbids) {
  SamplingParams params;
  params.logit_bias = {{7, -100.0f}, {2, -100.0f}};
  params.temperature = 0;
  EXPECT_EQ(draws(params, kLogits, 1), (std::vector<TokenId>{4}));
  params.logit_bias = {{3, 100.0f}, {1, 100.0f}, {7, 50.0f}};
  params.temperature = 1;
  const auto counts = histogram(params, kLogits, 2000);
  EXPECT_EQ(counts[1] + counts[3], 2000U);
  EXPECT_GT(counts[3], 300U) << "among the forced ones the model's own proportions hold";
}

TEST(Sampler, small_bias_shifts_the_odds) {
  SamplingParams params;
  params.seed = 8;
  params.logit_bias = {{3, 2.0f}};
  std::vector<double> weights = exponentials(1);
  weights[3] *= std::exp(2.0);
  EXPECT_LT(chi_square(histogram(params, kLogits, 20000), weights), kChiSquareMax);
}

TEST(Sampler, penalties_see_the_tokens_it_gave_out) {
  SamplingParams params;
  params.temperature = 0;
  params.presence_penalty = 10;
  EXPECT_EQ(draws(params, kLogits, 4), (std::vector<TokenId>{7, 2, 4, 0}));
}

TEST(Sampler, broken_logits_never_crash) {
  SampleScratch scratch;
  for (const float temperature : {0.0f, 1.0f}) {
    SamplingParams params;
    params.temperature = temperature;
    params.logprobs = true;
    params.top_logprobs = 2;
    Sampler sampler(params, {});
    const std::vector<float> nothing{std::nanf(""), -kInfinity};
    EXPECT_FALSE(sampler.sample(nothing, scratch));
    const std::vector<float> infinite{1, kInfinity, std::nanf(""), kInfinity};
    EXPECT_EQ(sampler.sample(infinite, scratch)->token, 1U);
    const std::vector<float> one{std::nanf(""), -3e38f, -kInfinity};
    EXPECT_EQ(sampler.sample(one, scratch)->token, 1U);
  }
}

TEST(Sampler, logprobs_are_those_of_the_raw_logits) {
  SamplingParams params;
  params.temperature = 0.3f;
  params.logprobs = true;
  params.top_logprobs = 3;
  params.logit_bias = {{3, 100.0f}};
  Sampler sampler(params, {});
  SampleScratch scratch;
  const OutputToken out = *sampler.sample(kLogits, scratch);
  double sum = 0;
  for (const double weight : exponentials(1)) sum += weight;
  EXPECT_EQ(out.token, 3U);
  EXPECT_EQ(out.sampled.token, 3U);
  EXPECT_NEAR(out.sampled.logprob, -1.0 - std::log(sum), 1e-5);
  ASSERT_EQ(out.top.size(), 3U);
  EXPECT_EQ(out.top[0].token, 7U);
  EXPECT_EQ(out.top[1].token, 2U);
  EXPECT_EQ(out.top[2].token, 4U);
  EXPECT_NEAR(out.top[0].logprob, 2.5 - std::log(sum), 1e-5);
}

TEST(Sampler, logprobs_are_absent_unless_asked_for) {
  SamplingParams params;
  params.top_logprobs = 5;
  Sampler sampler(params, {});
  SampleScratch scratch;
  EXPECT_TRUE(sampler.sample(kLogits, scratch)->top.empty());
}

}  // namespace
}  // namespace stint::sample
