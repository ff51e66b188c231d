#include "platform/observe/registry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "platform/base/assert.h"

namespace stint::observe {

namespace {

constexpr std::string_view kOverflow = "overflow";

constexpr std::array<double, 17> kDurationBuckets{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                  0.5,    1,     2.5,    5,     10,   30,    60,   120};
constexpr std::array<double, 9> kSizeBuckets{256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The names Prometheus accepts, without the colon that it keeps for recording rules.
bool is_name(std::string_view name) {
  const auto is_name_letter = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_name_letter);
}

// `le` belongs to histograms and `__` to Prometheus itself.
bool is_label_name(std::string_view name) {
  return is_name(name) && name != "le" && !name.starts_with("__");
}

}  // namespace

std::span<const double> duration_buckets() {
  return kDurationBuckets;
}
std::span<const double> size_buckets() {
  return kSizeBuckets;
}

Histogram::Histogram(std::span<const double> bounds)
    : bounds_(bounds.begin(), bounds.end()),
      counts_(std::make_unique<std::atomic<std::uint64_t>[]>(bounds.size() + 1)) {
  STINT_ASSERT(std::ranges::adjacent_find(bounds_, std::greater_equal{}) == bounds_.end());
  STINT_ASSERT(std::ranges::all_of(bounds_, [](double bound) { return std::isfinite(bound); }));
}

void Histogram::observe(double value) {
  if (std::isnan(value)) return;
  const auto bucket = static_cast<std::size_t>(std::ranges::lower_bound(bounds_, value) - bounds_.begin());
  counts_[bucket].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

std::vector<std::uint64_t> Histogram::bucket_counts() const {
  std::vector<std::uint64_t> counts(bounds_.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = counts_[i].load(std::memory_order_relaxed);
  return counts;
}

template <typename Metric>
Metric& Family<Metric>::with(std::span<const std::string_view> label_values) {
  STINT_ASSERT(label_values.size() == info_.label_names.size());
  std::vector<std::string> key(label_values.begin(), label_values.end());
  const std::lock_guard lock(mutex_);
  auto found = series_.find(key);
  if (found == series_.end() && series_.size() >= info_.series_count_max) {
    key.assign(label_values.size(), std::string(kOverflow));
    found = series_.find(key);
  }
  if (found == series_.end()) found = series_.emplace(std::move(key), make_()).first;
  return *found->second;
}

template <typename Metric>
void Family<Metric>::each(const std::function<void(const std::vector<std::string>&, const Metric&)>& visit) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [label_values, metric] : series_) visit(label_values, *metric);
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

Registry::Entry& Registry::entry(MetricKind kind, const MetricInfo& info) {
  STINT_ASSERT(is_name(info.name) && std::ranges::all_of(info.label_names, is_label_name));
  STINT_ASSERT(info.name.ends_with("_total") == (kind == MetricKind::counter));
  const auto [place, is_first] = entries_.try_emplace(info.name);
  Entry& entry = place->second;
  if (is_first) {
    entry.kind = kind;
    entry.info = info;
  }
  STINT_ASSERT(entry.kind == kind && entry.info.label_names == info.label_names && !entry.read);
  return entry;
}

Family<Counter>& Registry::counters(const MetricInfo& info) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Family<Counter>>& family = entry(MetricKind::counter, info).counters;
  if (!family) family = std::make_unique<Family<Counter>>(info, [] { return std::make_unique<Counter>(); });
  return *family;
}

Family<Gauge>& Registry::gauges(const MetricInfo& info) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Family<Gauge>>& family = entry(MetricKind::gauge, info).gauges;
  if (!family) family = std::make_unique<Family<Gauge>>(info, [] { return std::make_unique<Gauge>(); });
  return *family;
}

Family<Histogram>& Registry::histograms(const MetricInfo& info, std::span<const double> bounds) {
  const std::lock_guard lock(mutex_);
  Entry& named = entry(MetricKind::histogram, info);
  if (!named.histograms) {
    named.bounds.assign(bounds.begin(), bounds.end());
    const auto make = [own = named.bounds] { return std::make_unique<Histogram>(own); };
    named.histograms = std::make_unique<Family<Histogram>>(info, make);
  }
  STINT_ASSERT(std::ranges::equal(named.bounds, bounds));
  return *named.histograms;
}

void Registry::sampled(MetricKind kind, const std::string& name, const std::string& help,
                       std::function<double()> read) {
  STINT_ASSERT(kind != MetricKind::histogram && read);
  const std::lock_guard lock(mutex_);
  Entry& named = entry(kind, {name, help});
  STINT_ASSERT(!named.counters && !named.gauges);
  named.read = std::move(read);
}

FamilySnapshot Registry::snapshot(const Entry& entry) {
  FamilySnapshot family{entry.info.name, entry.info.help, entry.kind, entry.info.label_names, entry.bounds, {}};
  const auto add_value = [&](const std::vector<std::string>& label_values, const auto& metric) {
    family.samples.push_back({label_values, static_cast<double>(metric.value()), {}, 0});
  };
  if (entry.counters) entry.counters->each(add_value);
  if (entry.gauges) entry.gauges->each(add_value);
  if (entry.histograms) {
    entry.histograms->each([&](const std::vector<std::string>& label_values, const Histogram& histogram) {
      family.samples.push_back({label_values, 0, histogram.bucket_counts(), histogram.sum()});
    });
  }
  if (entry.read) family.samples.push_back({{}, entry.read(), {}, 0});
  return family;
}

std::vector<FamilySnapshot> Registry::collect() const {
  const std::lock_guard lock(mutex_);
  std::vector<FamilySnapshot> families;
  families.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) families.push_back(snapshot(entry));
  return families;
}

}  // namespace stint::observe
