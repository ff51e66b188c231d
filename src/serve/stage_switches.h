// StageSwitches: which optional stages run for a request. A stage without which no request can be answered has no
// switch. Immutable, thread-safe, owned by a Generation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "platform/config/reader.h"

namespace stint::serve {

// The life of a request, in its order; pipeline.cpp gives the reason for each place.
enum class StageId : std::uint8_t {
  authenticate,
  receive,
  decode,
  resolve,
  preprocess,
  admit,
  cache,
  plan,
  dispatch,
  postprocess,
  store,
  encode,
  record,
};

inline constexpr std::size_t kStageCount = static_cast<std::size_t>(StageId::record) + 1;

// The stage's name in configuration, metrics and Server-Timing.
std::string_view to_string(StageId stage);
// The stage of that name, if there is one.
std::optional<StageId> find_stage(std::string_view name);
// True if requests can do without it: preprocess, admit, cache, postprocess, store.
bool is_optional(StageId stage);

class StageSwitches {
 public:
  // All optional stages on, for every request.
  StageSwitches() { shares_.fill(1.0); }

  // True if `stage` runs for the request that drew `roll`, uniform in [0, 1).
  bool runs(StageId stage, double roll) const { return !is_optional(stage) || roll < share(stage); }
  // The share of requests that get an optional stage: 0 when it is switched off.
  double share(StageId stage) const { return shares_.at(static_cast<std::size_t>(stage)); }
  void set_share(StageId stage, double share) { shares_.at(static_cast<std::size_t>(stage)) = share; }
  // The linear flow: no optional stage for any request.
  void switch_all_off() { shares_.fill(0.0); }

 private:
  std::array<double, kStageCount> shares_;
};

// Reads `optimize` and `stages`. `linear_flow`: the environment's ANTHROPIC_OPTIMIZE=off, which wins over the file.
StageSwitches read_stage_switches(config::Section root, bool linear_flow);

// The optional stages named in an `x-stint-bypass` header (comma list; unknown names are ignored), as a set.
std::array<bool, kStageCount> parse_bypass(std::string_view header);

}  // namespace stint::serve
