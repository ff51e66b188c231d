#include "app/engine_metrics.h"

#include <gtest/gtest.h>

#include "platform/observe/prometheus_text.h"

namespace stint::app {
namespace {

TEST(EngineMetrics, read_as_zero_until_there_is_an_engine) {
  observe::Registry registry;
  const local::EngineSlot slot;
  export_engine_stats(registry, slot);
  const std::string text = observe::prometheus_text(registry.collect());
  EXPECT_NE(text.find("\nstint_engine_steps_total 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nstint_engine_batch_fill_ratio 0\n"), std::string::npos);
}

}  // namespace
}  // namespace stint::app
