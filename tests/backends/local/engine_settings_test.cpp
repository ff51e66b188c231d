#include "backends/local/engine_settings.h"

#include <gtest/gtest.h>

#include "tests/fakes/settings_text.h"

namespace stint::local {
namespace {

struct Outcome {
  engine::EngineSettings settings;
  std::string error;
};

Outcome read(std::string_view text) {
  Outcome outcome;
  outcome.error =
      fakes::read_settings(text, [&](config::Section root) { outcome.settings = read_engine_settings(root); });
  return outcome;
}

TEST(EngineSettings, every_key_arrives) {
  const Outcome outcome = read(
      "engine: {model: /m.gguf, threads: 2, kernel_tier: portable, kv_type: f32, max_resident_tokens: 512, context: "
      "1024, "
      "step_token_budget: 64}");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.settings.model_path, "/m.gguf");
  EXPECT_EQ(outcome.settings.thread_count, 2u);
  EXPECT_EQ(outcome.settings.kernel_tier, "portable");
  EXPECT_EQ(outcome.settings.kv_type, "f32");
  EXPECT_EQ(outcome.settings.max_resident_tokens, 512u);
  EXPECT_EQ(outcome.settings.context_tokens, 1024u);
  EXPECT_EQ(outcome.settings.step_token_budget, 64u);
}

TEST(EngineSettings, without_a_section_it_is_the_default_model_on_the_best_tier) {
  const Outcome outcome = read("");
  EXPECT_EQ(outcome.settings.model_path, "smollm2-135m");
  EXPECT_EQ(outcome.settings.kernel_tier, "auto");
  EXPECT_EQ(outcome.settings.kv_type, "f16");
  EXPECT_EQ(outcome.settings.max_resident_tokens, 4096u);
}

TEST(EngineSettings, values_out_of_range_are_told_with_their_line) {
  EXPECT_NE(read("engine:\n  kernel_tier: avx9\n").error.find("stint.yaml:2"), std::string::npos);
  EXPECT_NE(read("engine: {step_token_budget: 1}").error.find("step_token_budget"), std::string::npos);
}

}  // namespace
}  // namespace stint::local
