// Registry: every number the process tells about itself. Families are made once, at start; their series live as long as
// the registry and never move, so callers keep a reference and update it without a lock.
// Thread-safe. Updates are relaxed atomics; with() and collect() take a mutex. Owned by app, passed by reference.
// Bounded: a family holds at most `series_count_max` label combinations; later ones share one series whose labels all
// say "overflow", so that no caller's input can grow the process or the monitoring.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/clock.h"

namespace stint::observe {

inline constexpr std::size_t kSeriesCountMax = 100;

class Counter {
 public:
  void add(std::uint64_t count = 1) { value_.fetch_add(count, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

class Gauge {
 public:
  void set(double value) { value_.store(value, std::memory_order_relaxed); }
  void add(double delta) { value_.fetch_add(delta, std::memory_order_relaxed); }
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

// Fixed buckets; `bounds` are inclusive upper ends in ascending order, +Inf is implied.
class Histogram {
 public:
  explicit Histogram(std::span<const double> bounds);

  // NaN is dropped: it would poison the sum for ever.
  void observe(double value);
  void observe(base::Duration span) { observe(std::chrono::duration<double>(span).count()); }

  std::span<const double> bounds() const { return bounds_; }
  // Observations per bucket, not cumulative; one more entry than bounds.
  std::vector<std::uint64_t> bucket_counts() const;
  double sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  std::vector<double> bounds_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
  std::atomic<double> sum_{0};
};

// Upper bounds for spans in seconds (0.5 ms to 2 minutes) and for sizes in bytes (256 B to 16 MiB).
std::span<const double> duration_buckets();
std::span<const double> size_buckets();

enum class MetricKind : std::uint8_t { counter, gauge, histogram };

// What a family is called and says. Names follow Prometheus: `stint_` first, base units, counters end in `_total`.
struct MetricInfo {
  std::string name;
  std::string help;
  std::vector<std::string> label_names{};
  std::size_t series_count_max = kSeriesCountMax;
};

// All series of one name. Metric is Counter, Gauge or Histogram.
template <typename Metric>
class Family {
 public:
  using Make = std::function<std::unique_ptr<Metric>()>;
  Family(MetricInfo info, Make make) : info_(std::move(info)), make_(std::move(make)) {}

  // The series with these label values, in the order of label_names; made on first use. Lasts as long as the registry.
  Metric& with(std::span<const std::string_view> label_values);
  Metric& with(std::initializer_list<std::string_view> label_values) {
    return with(std::span(label_values.begin(), label_values.size()));
  }

  const MetricInfo& info() const { return info_; }
  // Calls `visit` for each series in order of label values, under the family's mutex.
  void each(const std::function<void(const std::vector<std::string>&, const Metric&)>& visit) const;

 private:
  const MetricInfo info_;
  const Make make_;
  mutable std::mutex mutex_;
  std::map<std::vector<std::string>, std::unique_ptr<Metric>> series_;
};

extern template class Family<Counter>;
extern template class Family<Gauge>;
extern template class Family<Histogram>;

// One series at one moment.
struct Sample {
  std::vector<std::string> label_values;
  double value = 0;                          // counter, gauge
  std::vector<std::uint64_t> bucket_counts;  // histogram, not cumulative
  double sum = 0;                            // histogram
};

struct FamilySnapshot {
  std::string name;
  std::string help;
  MetricKind kind = MetricKind::counter;
  std::vector<std::string> label_names;
  std::vector<double> bounds;  // histogram
  std::vector<Sample> samples;
};

class Registry {
 public:
  // A name that exists already gives the family that has it; another kind or other labels under that name are a bug.
  Counter& counter(const std::string& name, const std::string& help) { return counters({name, help}).with({}); }
  Gauge& gauge(const std::string& name, const std::string& help) { return gauges({name, help}).with({}); }
  Histogram& histogram(const std::string& name, const std::string& help, std::span<const double> bounds) {
    return histograms({name, help}, bounds).with({});
  }
  Family<Counter>& counters(const MetricInfo& info);
  Family<Gauge>& gauges(const MetricInfo& info);
  Family<Histogram>& histograms(const MetricInfo& info, std::span<const double> bounds);

  // A counter or gauge kept elsewhere (the engine's statistics): `read` runs on the collecting thread, at each collect.
  // It must stay callable as long as the registry is collected, and must not call the registry.
  void sampled(MetricKind kind, const std::string& name, const std::string& help, std::function<double()> read);

  // Every family, by name. Values are read one by one: sums across series may be a few updates apart.
  std::vector<FamilySnapshot> collect() const;

 private:
  struct Entry {
    MetricKind kind = MetricKind::counter;
    MetricInfo info;
    std::vector<double> bounds;
    std::unique_ptr<Family<Counter>> counters;
    std::unique_ptr<Family<Gauge>> gauges;
    std::unique_ptr<Family<Histogram>> histograms;
    std::function<double()> read;
  };
  Entry& entry(MetricKind kind, const MetricInfo& info);
  static FamilySnapshot snapshot(const Entry& entry);

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace stint::observe
