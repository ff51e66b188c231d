#include "serve/stage_switches.h"

#include <gtest/gtest.h>

#include "tests/fakes/settings_text.h"

namespace stint::serve {
namespace {

struct Outcome {
  StageSwitches switches;
  std::string error;
};

Outcome read(std::string_view text, bool linear_flow = false) {
  Outcome outcome;
  outcome.error = fakes::read_settings(
      text, [&](config::Section root) { outcome.switches = read_stage_switches(root, linear_flow); });
  return outcome;
}

TEST(StageSwitches, every_stage_has_a_name_that_leads_back_to_it) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<StageId>(i);
    EXPECT_EQ(find_stage(to_string(stage)), stage);
  }
  EXPECT_EQ(find_stage("other"), std::nullopt);
}

TEST(StageSwitches, without_settings_every_stage_runs) {
  const Outcome outcome = read("");
  for (std::size_t i = 0; i < kStageCount; ++i) EXPECT_TRUE(outcome.switches.runs(static_cast<StageId>(i), 0.999));
}

TEST(StageSwitches, a_stage_can_be_switched_off_or_rolled_out_to_a_share) {
  const Outcome outcome = read("stages: {cache: {enabled: false}, preprocess: {share: 10%}}");
  EXPECT_EQ(outcome.error, "");
  EXPECT_FALSE(outcome.switches.runs(StageId::cache, 0.0));
  EXPECT_TRUE(outcome.switches.runs(StageId::preprocess, 0.09));
  EXPECT_FALSE(outcome.switches.runs(StageId::preprocess, 0.1));
}

TEST(StageSwitches, the_linear_flow_keeps_only_what_every_request_needs) {
  for (const Outcome& outcome : {read("optimize: false"), read("stages: {cache: {share: 1.0}}", true)}) {
    EXPECT_EQ(outcome.error, "");
    for (std::size_t i = 0; i < kStageCount; ++i) {
      const auto stage = static_cast<StageId>(i);
      EXPECT_EQ(outcome.switches.runs(stage, 0.0), !is_optional(stage)) << to_string(stage);
    }
  }
}

TEST(StageSwitches, a_stage_that_every_request_needs_has_no_switch) {
  EXPECT_NE(read("stages: {decode: {enabled: false}}").error.find("no switch"), std::string::npos);
  EXPECT_NE(read("stages: {other: {enabled: true}}").error.find("no switch"), std::string::npos);
}

TEST(StageSwitches, the_bypass_header_names_optional_stages_only) {
  const auto bypassed = parse_bypass(" cache , store,decode,,other");
  EXPECT_TRUE(bypassed.at(static_cast<std::size_t>(StageId::cache)));
  EXPECT_TRUE(bypassed.at(static_cast<std::size_t>(StageId::store)));
  EXPECT_FALSE(bypassed.at(static_cast<std::size_t>(StageId::decode)));
  EXPECT_FALSE(bypassed.at(static_cast<std::size_t>(StageId::preprocess)));
}

}  // namespace
}  // namespace stint::serve
