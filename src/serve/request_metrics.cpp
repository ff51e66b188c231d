#include "serve/request_metrics.h"

namespace stint::serve {

RequestMetrics::RequestMetrics(observe::Registry& registry)
    : requests(registry.counters({.name = "stint_requests_total",
                                  .help = "Requests answered, by endpoint and HTTP status; 499 is a client that left.",
                                  .label_names = {"endpoint", "status"}})),
      request_seconds(registry.histograms({.name = "stint_request_seconds",
                                           .help = "From the head of a request to the last byte of its answer.",
                                           .label_names = {"endpoint"}},
                                          observe::duration_buckets())),
      time_to_first_token_seconds(registry.histogram("stint_time_to_first_token_seconds",
                                                     "From the head of a request to its first content.",
                                                     observe::duration_buckets())),
      input_tokens(registry.counter("stint_input_tokens_total", "Prompt tokens of answered requests.")),
      cached_input_tokens(
          registry.counter("stint_cached_input_tokens_total", "Prompt tokens that needed no computation.")),
      output_tokens(registry.counter("stint_output_tokens_total", "Tokens generated for clients.")),
      clients_gone(registry.counter("stint_clients_gone_total", "Clients that left before their answer was complete.")),
      substituted_models(registry.counter("stint_substituted_models_total",
                                          "Requests for an unknown model that the default model answered.")),
      in_flight(registry.gauge("stint_requests_in_flight", "Requests being worked on.")) {
  auto& seconds = registry.histograms({.name = "stint_stage_seconds",
                                       .help = "Time spent in each stage; encode includes waiting for the model.",
                                       .label_names = {"stage"}},
                                      observe::duration_buckets());
  for (std::size_t i = 0; i < kStageCount; ++i)
    stage_seconds_.at(i) = &seconds.with({to_string(static_cast<StageId>(i))});
}

}  // namespace stint::serve
