// RequestMetrics: the numbers kept of every request. Families are made once; updates are lock-free but for the first
// use of a label. Borrowed by stages; owned by app, which also owns the registry.
#pragma once

#include <array>
#include <string_view>

#include "platform/observe/registry.h"
#include "serve/stage_switches.h"

namespace stint::serve {

class RequestMetrics {
 public:
  explicit RequestMetrics(observe::Registry& registry);

  observe::Histogram& stage_seconds(StageId stage) { return *stage_seconds_.at(static_cast<std::size_t>(stage)); }

  observe::Family<observe::Counter>& requests;           // endpoint, status
  observe::Family<observe::Histogram>& request_seconds;  // endpoint
  observe::Histogram& time_to_first_token_seconds;
  observe::Counter& input_tokens;
  observe::Counter& cached_input_tokens;
  observe::Counter& output_tokens;
  observe::Counter& clients_gone;
  observe::Counter& substituted_models;
  observe::Gauge& in_flight;

 private:
  std::array<observe::Histogram*, kStageCount> stage_seconds_{};
};

}  // namespace stint::serve
