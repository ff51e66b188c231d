#include "engine/submission_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace stint::engine {
namespace {

using testing::HasSubstr;

constexpr SubmissionLimits kLimits{10, 50};

Submission valid() {
  Submission out;
  out.prompt = {1, 2, 3};
  return out;
}

TEST(SubmissionCheck, a_plain_submission_passes) {
  EXPECT_TRUE(check_submission(valid(), kLimits));
}

TEST(SubmissionCheck, a_prompt_that_fills_the_context_is_refused_with_both_counts) {
  Submission submission = valid();
  submission.prompt.assign(9, 1);
  submission.max_output_tokens = 1000;
  EXPECT_TRUE(check_submission(submission, kLimits)) << "output that does not fit is cut, not refused";
  submission.prompt.assign(10, 1);
  const auto refused = check_submission(submission, kLimits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid_request);
  EXPECT_EQ(refused.error().code, "context_length_exceeded");
  EXPECT_THAT(refused.error().message, HasSubstr("has 10 tokens, but the model's context holds 10"));
}

TEST(SubmissionCheck, an_embedding_needs_no_room_for_output) {
  Submission submission = valid();
  submission.kind = Submission::Kind::embed;
  submission.max_output_tokens = 0;
  submission.prompt.assign(10, 1);
  EXPECT_TRUE(check_submission(submission, kLimits));
  submission.prompt.assign(11, 1);
  EXPECT_EQ(check_submission(submission, kLimits).error().code, "context_length_exceeded");
}

TEST(SubmissionCheck, each_fault_is_refused_and_named) {
  const std::vector<std::pair<std::function<void(Submission&)>, std::string>> faults{
      {[](Submission& s) { s.prompt.clear(); }, "prompt"},
      {[](Submission& s) { s.prompt[1] = 50; }, "prompt"},
      {[](Submission& s) { s.max_output_tokens = 0; }, "max_tokens"},
      {[](Submission& s) { s.sampling.temperature = -0.1f; }, "temperature"},
      {[](Submission& s) { s.sampling.temperature = std::nanf(""); }, "temperature"},
      {[](Submission& s) { s.sampling.temperature = INFINITY; }, "temperature"},
      {[](Submission& s) { s.sampling.top_p = 1.1f; }, "top_p"},
      {[](Submission& s) { s.sampling.min_p = -1; }, "min_p"},
      {[](Submission& s) { s.sampling.repetition_penalty = 0; }, "repetition_penalty"},
      {[](Submission& s) { s.sampling.frequency_penalty = std::nanf(""); }, "frequency_penalty"},
      {[](Submission& s) { s.sampling.presence_penalty = 1e9f; }, "presence_penalty"},
      {[](Submission& s) { s.sampling.top_logprobs = 21; }, "top_logprobs"},
      {[](Submission& s) { s.sampling.logit_bias = {{50, 1.0f}}; }, "logit_bias"},
      {[](Submission& s) { s.sampling.logit_bias = {{1, std::nanf("")}}; }, "logit_bias"},
      {[](Submission& s) { s.sampling.logit_bias = {{1, 1.0f}, {2, 1.0f}, {1, 2.0f}}; }, "logit_bias"},
      {[](Submission& s) { s.stop_strings = {"x", ""}; }, "stop"},
      {[](Submission& s) { s.stop_strings.assign(33, "x"); }, "stop"},
      {[](Submission& s) { s.stop_strings = {std::string(1025, 'x')}; }, "stop"},
      {[](Submission& s) { s.stop_strings = {"\x97\xa5"}; }, "stop"},
  };
  for (std::size_t i = 0; i < faults.size(); ++i) {
    Submission submission = valid();
    faults[i].first(submission);
    const auto refused = check_submission(submission, kLimits);
    ASSERT_FALSE(refused) << i;
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_request) << i;
    EXPECT_EQ(refused.error().param, faults[i].second) << i;
  }
}

}  // namespace
}  // namespace stint::engine
