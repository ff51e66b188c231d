// Stopwatch: a span on the injected clock. Not thread-safe; a few words; borrows the clock.
#pragma once

#include "platform/base/clock.h"

namespace stint::observe {

class Stopwatch {
 public:
  explicit Stopwatch(const base::Clock& clock) : clock_(&clock), started_(clock.now()), lap_started_(started_) {}

  // Since construction.
  base::Duration elapsed() const { return clock_->now() - started_; }

  // Since the previous lap (or construction); starts the next lap.
  base::Duration lap() {
    const base::TimePoint now = clock_->now();
    const base::Duration span = now - lap_started_;
    lap_started_ = now;
    return span;
  }

 private:
  const base::Clock* clock_;
  base::TimePoint started_;
  base::TimePoint lap_started_;
};

}  // namespace stint::observe
