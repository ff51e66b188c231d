#include "platform/observe/prometheus_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace stint::observe {
namespace {

std::string text_of(const Registry& registry) {
  return prometheus_text(registry.collect());
}

TEST(PrometheusText, counters_and_gauges) {
  Registry registry;
  registry.counters({"stint_calls_total", "Calls made", {"backend", "outcome"}}).with({"local", "ok"}).add(3);
  registry.gauge("stint_open_streams", "Streams now open").set(-1.5);
  EXPECT_EQ(text_of(registry),
            "# HELP stint_calls_total Calls made\n"
            "# TYPE stint_calls_total counter\n"
            "stint_calls_total{backend=\"local\",outcome=\"ok\"} 3\n"
            "# HELP stint_open_streams Streams now open\n"
            "# TYPE stint_open_streams gauge\n"
            "stint_open_streams -1.5\n");
}

TEST(PrometheusText, histogram_buckets_are_cumulative_and_count_is_the_last) {
  Registry registry;
  constexpr std::array<double, 2> kBounds{0.5, 1};
  Family<Histogram>& family = registry.histograms({"stint_wait_seconds", "Waits", {"stage"}}, kBounds);
  for (const double value : {0.25, 0.5, 0.75, 9.0}) family.with({"plan"}).observe(value);
  registry.histogram("stint_zero_bytes", "Nothing yet", kBounds);
  EXPECT_EQ(text_of(registry),
            "# HELP stint_wait_seconds Waits\n"
            "# TYPE stint_wait_seconds histogram\n"
            "stint_wait_seconds_bucket{stage=\"plan\",le=\"0.5\"} 2\n"
            "stint_wait_seconds_bucket{stage=\"plan\",le=\"1\"} 3\n"
            "stint_wait_seconds_bucket{stage=\"plan\",le=\"+Inf\"} 4\n"
            "stint_wait_seconds_sum{stage=\"plan\"} 10.5\n"
            "stint_wait_seconds_count{stage=\"plan\"} 4\n"
            "# HELP stint_zero_bytes Nothing yet\n"
            "# TYPE stint_zero_bytes histogram\n"
            "stint_zero_bytes_bucket{le=\"0.5\"} 0\n"
            "stint_zero_bytes_bucket{le=\"1\"} 0\n"
            "stint_zero_bytes_bucket{le=\"+Inf\"} 0\n"
            "stint_zero_bytes_sum 0\n"
            "stint_zero_bytes_count 0\n");
}

TEST(PrometheusText, hostile_texts_are_escaped) {
  Registry registry;
  registry.gauges({"stint_g", "back\\slash\nline \"quote\"", {"model"}}).with({"a\\b\"c\nd\xFF\xC3\xA9"}).set(1);
  EXPECT_EQ(text_of(registry),
            "# HELP stint_g back\\\\slash\\nline \"quote\"\n"
            "# TYPE stint_g gauge\n"
            "stint_g{model=\"a\\\\b\\\"c\\nd\xEF\xBF\xBD\xC3\xA9\"} 1\n");
}

TEST(PrometheusText, numbers_keep_their_precision_and_the_special_ones_their_names) {
  Registry registry;
  Family<Gauge>& family = registry.gauges({"stint_g", "G", {"x"}});
  family.with({"a"}).set(0.1);
  family.with({"b"}).set(1e21);
  family.with({"c"}).set(std::numeric_limits<double>::infinity());
  family.with({"d"}).set(-std::numeric_limits<double>::infinity());
  family.with({"e"}).set(std::numeric_limits<double>::quiet_NaN());
  family.with({"f"}).set(123456789012);
  EXPECT_EQ(
      text_of(registry),
      "# HELP stint_g G\n# TYPE stint_g gauge\nstint_g{x=\"a\"} 0.1\nstint_g{x=\"b\"} 1e+21\nstint_g{x=\"c\"} +Inf\n"
      "stint_g{x=\"d\"} -Inf\nstint_g{x=\"e\"} NaN\nstint_g{x=\"f\"} 123456789012\n");
}

TEST(PrometheusText, nothing_is_an_empty_page) {
  EXPECT_EQ(prometheus_text({}), "");
}

}  // namespace
}  // namespace stint::observe
