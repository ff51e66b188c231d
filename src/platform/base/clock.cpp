#include "platform/base/clock.h"

namespace stint::base {

TimePoint SystemClock::now() const {
  return std::chrono::steady_clock::now();
}

std::int64_t SystemClock::unix_seconds() const {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace stint::base
