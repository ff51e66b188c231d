// FakeClock: time that moves only when a test says so. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "platform/base/clock.h"

namespace stint::fakes {

class FakeClock final : public base::Clock {
 public:
  base::TimePoint now() const override { return base::TimePoint(base::Duration(now_ns_.load())); }
  std::int64_t unix_seconds() const override { return 1'750'000'000 + now_ns_.load() / 1'000'000'000; }
  void advance(base::Duration span) { now_ns_ += span.count(); }

 private:
  std::atomic<std::int64_t> now_ns_{1'000'000'000};
};

}  // namespace stint::fakes
