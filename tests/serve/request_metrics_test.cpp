#include "serve/request_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/observe/prometheus_text.h"

namespace stint::serve {
namespace {

using testing::HasSubstr;

TEST(RequestMetrics, every_number_is_exported_under_its_name) {
  observe::Registry registry;
  RequestMetrics metrics(registry);
  metrics.requests.with({"messages", "200"}).add();
  metrics.request_seconds.with({"messages"}).observe(0.5);
  metrics.in_flight.add(2);
  const std::string text = observe::prometheus_text(registry.collect());
  for (const char* line :
       {"stint_requests_total{endpoint=\"messages\",status=\"200\"} 1\n",
        "stint_request_seconds_count{endpoint=\"messages\"} 1\n", "stint_time_to_first_token_seconds_count 0\n",
        "stint_input_tokens_total 0\n", "stint_cached_input_tokens_total 0\n", "stint_output_tokens_total 0\n",
        "stint_clients_gone_total 0\n", "stint_substituted_models_total 0\n", "stint_requests_in_flight 2\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(RequestMetrics, every_stage_has_a_series_of_its_own) {
  observe::Registry registry;
  RequestMetrics metrics(registry);
  metrics.stage_seconds(StageId::decode).observe(0.25);
  const std::string text = observe::prometheus_text(registry.collect());
  EXPECT_THAT(text, HasSubstr("stint_stage_seconds_sum{stage=\"decode\"} 0.25\n"));
  EXPECT_THAT(text, HasSubstr("stint_stage_seconds_count{stage=\"record\"} 0\n"));
}

}  // namespace
}  // namespace stint::serve
