#include "platform/observe/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

namespace stint::observe {
namespace {

using testing::ElementsAre;
using namespace std::chrono_literals;

constexpr std::array<double, 3> kBounds{1, 2, 5};

TEST(Registry, counters_and_gauges_hold_their_values) {
  Registry registry;
  Counter& requests = registry.counter("stint_requests_total", "Requests");
  requests.add();
  requests.add(4);
  Gauge& streams = registry.gauge("stint_open_streams", "Streams");
  streams.set(3);
  streams.add(-1.5);
  const auto families = registry.collect();
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[0].name, "stint_open_streams");
  EXPECT_EQ(families[0].kind, MetricKind::gauge);
  EXPECT_DOUBLE_EQ(families[0].samples.at(0).value, 1.5);
  EXPECT_EQ(families[1].name, "stint_requests_total");
  EXPECT_DOUBLE_EQ(families[1].samples.at(0).value, 5);
}

TEST(Registry, histogram_bounds_are_inclusive_and_the_rest_is_counted) {
  Registry registry;
  Histogram& histogram = registry.histogram("stint_size_bytes", "Sizes", kBounds);
  for (const double value : {0.0, 1.0, 1.5, 2.0, 5.0, 5.1, std::numeric_limits<double>::infinity()})
    histogram.observe(value);
  EXPECT_THAT(histogram.bucket_counts(), ElementsAre(2, 2, 1, 2));
  histogram.observe(std::nan(""));
  EXPECT_THAT(histogram.bucket_counts(), ElementsAre(2, 2, 1, 2)) << "NaN is dropped";
}

TEST(Registry, histogram_takes_durations_in_seconds) {
  Registry registry;
  Histogram& histogram = registry.histogram("stint_wait_seconds", "Waits", kBounds);
  histogram.observe(1500ms);
  histogram.observe(500ms);
  EXPECT_DOUBLE_EQ(histogram.sum(), 2.0);
  EXPECT_THAT(histogram.bucket_counts(), ElementsAre(1, 1, 0, 0));
}

TEST(Registry, labels_make_series_and_the_same_labels_the_same_series) {
  Registry registry;
  Family<Counter>& family = registry.counters({"stint_calls_total", "Calls", {"backend", "outcome"}});
  Counter& ok = family.with({"local", "ok"});
  ok.add();
  family.with({"local", "failed"}).add(2);
  EXPECT_EQ(&family.with({"local", "ok"}), &ok);
  const auto families = registry.collect();
  ASSERT_EQ(families.at(0).samples.size(), 2u);
  EXPECT_THAT(families[0].label_names, ElementsAre("backend", "outcome"));
  EXPECT_THAT(families[0].samples[0].label_values, ElementsAre("local", "failed"));
  EXPECT_DOUBLE_EQ(families[0].samples[0].value, 2);
}

TEST(Registry, too_many_label_combinations_share_the_overflow_series) {
  Registry registry;
  Family<Counter>& family = registry.counters(
      {.name = "stint_calls_total", .help = "Calls", .label_names = {"model"}, .series_count_max = 3});
  for (int i = 0; i < 50; ++i) family.with({"model-" + std::to_string(i)}).add();
  family.with({"model-1"}).add(10);
  const auto samples = registry.collect().at(0).samples;
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_DOUBLE_EQ(samples[1].value, 11) << "known series go on";
  EXPECT_THAT(samples[3].label_values, ElementsAre("overflow"));
  EXPECT_DOUBLE_EQ(samples[3].value, 47);
}

TEST(Registry, a_name_twice_is_the_same_family) {
  Registry registry;
  EXPECT_EQ(&registry.counter("stint_a_total", "A"), &registry.counter("stint_a_total", "A"));
  EXPECT_EQ(&registry.histogram("stint_b_seconds", "B", kBounds), &registry.histogram("stint_b_seconds", "B", kBounds));
}

TEST(Registry, sampled_values_are_read_at_each_collect) {
  Registry registry;
  double pages = 1;
  registry.sampled(MetricKind::gauge, "stint_kv_pages", "Pages in use", [&] { return pages; });
  EXPECT_DOUBLE_EQ(registry.collect().at(0).samples.at(0).value, 1);
  pages = 7;
  EXPECT_DOUBLE_EQ(registry.collect().at(0).samples.at(0).value, 7);
}

TEST(RegistryDeathTest, misuse_is_a_bug) {
  Registry registry;
  (void)registry.gauge("stint_a", "A");
  EXPECT_DEATH((void)registry.histogram("stint_a", "A", kBounds), "kind");
  EXPECT_DEATH((void)registry.counter("stint_requests", "no _total"), "_total");
  EXPECT_DEATH((void)registry.gauge("stint-a", "A"), "is_name");
  EXPECT_DEATH((void)registry.gauges({"stint_b", "B", {"le"}}), "is_label_name");
  EXPECT_DEATH((void)registry.gauges({"stint_b", "B", {"x"}}).with({}), "label_values");
  EXPECT_DEATH((void)Histogram(std::array<double, 2>{2, 1}), "adjacent_find");
}

TEST(Buckets, ascend) {
  for (const auto buckets : {duration_buckets(), size_buckets()}) {
    EXPECT_TRUE(std::ranges::is_sorted(buckets, std::less_equal{}));
    EXPECT_GT(buckets.front(), 0);
  }
}

// Under ThreadSanitizer this shows that updates, new series, new families and collecting need no lock of the caller's.
TEST(Registry, concurrent_updates_are_all_counted) {
  constexpr int kThreadCount = 4;
  constexpr int kRoundCount = 3000;
  Registry registry;
  Family<Counter>& family = registry.counters(
      {.name = "stint_calls_total", .help = "Calls", .label_names = {"model"}, .series_count_max = 8});
  Histogram& histogram = registry.histogram("stint_wait_seconds", "Waits", kBounds);
  Gauge& gauge = registry.gauge("stint_open", "Open");

  std::atomic<bool> done{false};
  std::thread collector([&] {
    std::uint64_t previous = 0;
    while (!done.load()) {
      std::uint64_t total = 0;
      for (const FamilySnapshot& snapshot : registry.collect()) {
        if (snapshot.name != "stint_wait_seconds") continue;
        for (const std::uint64_t count : snapshot.samples.at(0).bucket_counts) total += count;
      }
      EXPECT_GE(total, previous) << "a collected count never falls";
      previous = total;
    }
  });
  std::vector<std::thread> writers;
  for (int id = 0; id < kThreadCount; ++id) {
    writers.emplace_back([&, id] {
      for (int round = 0; round < kRoundCount; ++round) {
        family.with({std::to_string((round + id) % 16)}).add();
        histogram.observe(static_cast<double>(round % 7));
        gauge.add(1);
        gauge.add(-1);
        registry.counter("stint_thread_" + std::to_string(round % 3) + "_total", "Per thread").add();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  collector.join();

  constexpr std::uint64_t kExpected = std::uint64_t{kThreadCount} * kRoundCount;
  std::uint64_t calls = 0;
  family.each([&](const auto&, const Counter& counter) { calls += counter.value(); });
  EXPECT_EQ(calls, kExpected);
  std::uint64_t observed = 0;
  for (const std::uint64_t count : histogram.bucket_counts()) observed += count;
  EXPECT_EQ(observed, kExpected);
  double sum = 0;
  for (int round = 0; round < kRoundCount; ++round) sum += round % 7;
  EXPECT_DOUBLE_EQ(histogram.sum(), sum * kThreadCount) << "whole numbers: any order of addition is exact";
  EXPECT_DOUBLE_EQ(gauge.value(), 0);
}

}  // namespace
}  // namespace stint::observe
