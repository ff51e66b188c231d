#include "serve/stage_switches.h"

#include "platform/base/assert.h"

namespace stint::serve {

namespace {

constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "authenticate", "receive",  "decode",      "resolve", "preprocess", "admit", "cache",
    "plan",         "dispatch", "postprocess", "store",   "encode",     "record"};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string_view to_string(StageId stage) {
  return kStageNames.at(static_cast<std::size_t>(stage));
}

std::optional<StageId> find_stage(std::string_view name) {
  const auto found = std::ranges::find(kStageNames, name);
  if (found == kStageNames.end()) return std::nullopt;
  return static_cast<StageId>(found - kStageNames.begin());
}

bool is_optional(StageId stage) {
  switch (stage) {
    case StageId::preprocess:
    case StageId::admit:
    case StageId::cache:
    case StageId::postprocess:
    case StageId::store:
      return true;
    default:
      return false;
  }
}

StageSwitches read_stage_switches(config::Section root, bool linear_flow) {
  StageSwitches switches;
  const bool optimize =
      root.boolean("optimize", {.fallback = true, .meaning = "false runs the linear flow: no optional stage at all"});
  root.each_named_section(
      "stages", "Switch and rollout share of an optional stage: preprocess, admit, cache, postprocess or store",
      [&](const std::string& name, config::Section section) {
        const bool enabled = section.boolean("enabled", {.fallback = true, .meaning = "false leaves the stage out"});
        const double share =
            section.ratio("share", {.fallback = 1, .meaning = "Share of requests that get the stage, drawn at random"});
        const std::optional<StageId> stage = find_stage(name);
        if (stage && is_optional(*stage)) {
          switches.set_share(*stage, enabled ? share : 0);
        } else {
          section.reject("enabled", fmt::format("belongs to a stage that has no switch; those with one are preprocess, "
                                                "admit, cache, postprocess and store"));
        }
      });
  if (!optimize || linear_flow) switches.switch_all_off();
  return switches;
}

std::array<bool, kStageCount> parse_bypass(std::string_view header) {
  std::array<bool, kStageCount> bypassed{};
  while (!header.empty()) {
    const std::size_t comma = header.find(',');
    const std::optional<StageId> stage = find_stage(trim(header.substr(0, comma)));
    if (stage && is_optional(*stage)) bypassed.at(static_cast<std::size_t>(*stage)) = true;
    header = comma == std::string_view::npos ? std::string_view() : header.substr(comma + 1);
  }
  return bypassed;
}

}  // namespace stint::serve
