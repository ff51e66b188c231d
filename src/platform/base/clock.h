// Clock: the only source of time. Passed to constructors, so that tests run on FakeClock and never sleep.
// Thread-safe. Not owned by those who hold a reference; app owns the SystemClock.
#pragma once

#include <chrono>
#include <cstdint>

namespace stint::base {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

class Clock {
 public:
  virtual ~Clock() = default;
  // Monotonic; for deadlines and measured spans.
  virtual TimePoint now() const = 0;
  // Seconds since 1970-01-01 UTC; for `created` fields and logs only.
  virtual std::int64_t unix_seconds() const = 0;
};

class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  std::int64_t unix_seconds() const override;
};

// A point in time by which something must have happened. never() sets no limit.
struct Deadline {
  TimePoint at = TimePoint::max();

  static Deadline never() { return {}; }
  static Deadline after(const Clock& clock, Duration span) { return {clock.now() + span}; }
  bool passed(TimePoint now) const { return now >= at; }
  static Deadline earlier(Deadline a, Deadline b) { return a.at < b.at ? a : b; }
};

}  // namespace stint::base
