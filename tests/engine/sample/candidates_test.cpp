#include "engine/sample/candidates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "platform/base/random.h"

namespace stint::sample {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<Candidate> sorted_best(std::span<const float> logits, std::size_t count) {
  std::vector<float> block_maxima;
  std::vector<Candidate> out;
  select_best(logits, count, block_maxima, out);
  std::sort(out.begin(), out.end(), ranks_before);
  return out;
}

TEST(Candidates, best_is_the_lowest_id_of_equal_logits) {
  for (const std::size_t size : {1U, 7U, 64U, 65U, 200U}) {
    std::vector<float> logits(size, 1.5f);
    EXPECT_EQ(best_candidate(logits)->token, 0U);
    logits[size / 2] = 2;
    logits[size - 1] = 2;
    EXPECT_EQ(best_candidate(logits)->token, size / 2);
  }
}

TEST(Candidates, best_passes_over_nan_and_minus_infinity) {
  std::vector<float> logits(130, kNan);
  EXPECT_FALSE(best_candidate(logits));
  logits[3] = -kInfinity;
  EXPECT_FALSE(best_candidate(logits));
  logits[129] = -1e30f;
  EXPECT_EQ(best_candidate(logits)->token, 129U);
  logits[70] = kInfinity;
  EXPECT_EQ(best_candidate(logits)->token, 70U);
  EXPECT_FALSE(best_candidate({}));
}

TEST(Candidates, selection_equals_a_full_sort) {
  base::Random random(11);
  for (int round = 0; round < 400; ++round) {
    std::vector<float> logits(1 + random.below(700));
    // Few distinct values, so that ties cross every border; some that are no candidates.
    for (float& logit : logits) logit = static_cast<float>(random.below(40)) - 20;
    for (float& logit : logits) logit = random.below(20) == 0 ? kNan : random.below(20) == 0 ? -kInfinity : logit;
    std::vector<Candidate> expected;
    for (std::size_t i = 0; i < logits.size(); ++i)
      if (logits[i] > -kInfinity) expected.push_back({static_cast<TokenId>(i), logits[i]});
    std::sort(expected.begin(), expected.end(), ranks_before);
    const std::size_t count = random.below(logits.size() + 3);
    if (expected.size() > count) expected.resize(count);

    const std::vector<Candidate> selected = sorted_best(logits, count);
    ASSERT_EQ(selected.size(), expected.size());
    for (std::size_t i = 0; i < selected.size(); ++i) {
      EXPECT_EQ(selected[i].token, expected[i].token);
      EXPECT_EQ(selected[i].logit, expected[i].logit);
    }
  }
}

}  // namespace
}  // namespace stint::sample
