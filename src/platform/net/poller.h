// Poller: what a Loop blocks on when it has nothing to run. MemoryPoller knows no sockets (tests, command line tools
// without a network); SocketPoller (socket_poller.h) adds file descriptors. wake() may be called from any thread;
// wait() only from the loop's.
#pragma once

#include <condition_variable>
#include <mutex>

#include "platform/base/clock.h"

namespace stint::net {

class Poller {
 public:
  virtual ~Poller() = default;
  // Blocks until something happens, wake() is called, or `span` has passed; zero only looks, Duration::max() waits for
  // ever.
  virtual void wait(base::Duration span) = 0;
  // Ends the wait under way, or the next one.
  virtual void wake() = 0;
};

class MemoryPoller final : public Poller {
 public:
  void wait(base::Duration span) override;
  void wake() override;

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_pending_ = false;
};

}  // namespace stint::net
