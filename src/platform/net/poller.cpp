#include "platform/net/poller.h"

namespace stint::net {

void MemoryPoller::wait(base::Duration span) {
  std::unique_lock lock(mutex_);
  const auto woken = [this] { return wake_pending_; };
  if (span == base::Duration::max()) {
    woken_.wait(lock, woken);
  } else {
    woken_.wait_for(lock, span, woken);
  }
  wake_pending_ = false;
}

void MemoryPoller::wake() {
  {
    const std::lock_guard lock(mutex_);
    wake_pending_ = true;
  }
  woken_.notify_one();
}

}  // namespace stint::net
