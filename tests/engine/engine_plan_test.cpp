#include "engine/engine_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/fakes/random_gguf.h"

namespace stint::engine {
namespace {

class EnginePlanTest : public testing::Test {
 protected:
  EnginePlanTest()
      : bytes_(fakes::random_gguf({})),
        file_(*gguf::File::from_bytes(std::as_bytes(std::span(bytes_)), "random.gguf")),
        hyperparameters_(*model::Hyperparameters::read(file_.metadata())) {}

  Result<EnginePlan> plan() { return plan_engine(settings_, hyperparameters_, file_); }

  std::string bytes_;
  gguf::File file_;
  model::Hyperparameters hyperparameters_;
  EngineSettings settings_;
};

TEST_F(EnginePlanTest, defaults_fit_the_model) {
  hyperparameters_.context_tokens = 100'000;
  const EnginePlan found = *plan();
  EXPECT_EQ(found.tier, kernels::best_tier());
  EXPECT_GE(found.thread_count, 1U);
  EXPECT_EQ(found.limits.context_tokens, kDefaultContextTokens);
  EXPECT_EQ(found.limits.max_resident_tokens, 4096U);
  EXPECT_GE(found.page_count * kv::kPageTokens, kDefaultContextTokens) << "a lone sequence may fill the context";
  EXPECT_EQ(found.page_shape.type, kv::KvType::f16);
  EXPECT_EQ(found.memory.kv_size, found.page_shape.page_size() * found.page_count);
  EXPECT_GT(found.parameter_count, 0U);
}

TEST_F(EnginePlanTest, a_short_trained_context_is_not_stretched) {
  hyperparameters_.context_tokens = 512;
  EXPECT_EQ(plan()->limits.context_tokens, 512U);
}

TEST_F(EnginePlanTest, settings_are_followed) {
  settings_.thread_count = 3;
  settings_.kernel_tier = "reference";
  settings_.kv_type = "f32";
  settings_.max_resident_tokens = 20'000;
  settings_.context_tokens = 1000;
  settings_.step_token_budget = 64;
  const EnginePlan found = *plan();
  EXPECT_EQ(found.tier, kernels::Tier::reference);
  EXPECT_EQ(found.thread_count, 3U);
  EXPECT_EQ(found.page_shape.type, kv::KvType::f32);
  EXPECT_EQ(found.limits.context_tokens, 1000U);
  EXPECT_EQ(found.limits.step_token_budget, 64U);
  EXPECT_GE(found.page_count * kv::kPageTokens, 20'000U);
  EXPECT_EQ(found.memory.weights_size, found.parameter_count * 4) << "the reference path holds floats";
}

TEST_F(EnginePlanTest, each_impossible_setting_is_refused_by_name) {
  const std::vector<std::pair<std::function<void(EngineSettings&)>, std::string>> faults{
      {[](EngineSettings& s) { s.kernel_tier = "quantum"; }, "engine.kernel_tier"},
      {[](EngineSettings& s) { s.kernel_tier = "neon"; }, "engine.kernel_tier"},
      {[](EngineSettings& s) { s.kv_type = "q3"; }, "engine.kv_type"},
      {[](EngineSettings& s) { s.context_tokens = 1; }, "engine.context"},
      {[](EngineSettings& s) { s.context_tokens = 1U << 30; }, "engine.context"},
      {[](EngineSettings& s) { s.max_resident_tokens = 0; }, "engine.max_resident_tokens"},
      {[](EngineSettings& s) { s.max_resident_tokens = 0xffffffff; }, "engine.max_resident_tokens"},
      {[](EngineSettings& s) { s.step_token_budget = 0; }, "engine.step_token_budget"},
      {[](EngineSettings& s) { s.step_token_budget = 4096; }, "engine.step_token_budget"},
      {[](EngineSettings& s) { s.thread_count = 1000; }, "engine.threads"},
  };
  for (const auto& [spoil, setting] : faults) {
    settings_ = {};
    spoil(settings_);
    const auto refused = plan();
    ASSERT_FALSE(refused) << setting;
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_request);
    EXPECT_EQ(refused.error().param, setting);
    EXPECT_THAT(refused.error().message, testing::HasSubstr(setting));
  }
}

}  // namespace
}  // namespace stint::engine
