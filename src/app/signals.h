// SignalWatcher: turns SIGINT and SIGTERM into a callback on a thread of its own, so that nothing runs in a signal
// handler. Construct it before any other thread, which then inherit the blocked signals. The callback must be
// thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace stint::app {

class SignalWatcher {
 public:
  // `on_stop(count)` runs for every signal; count is 1 for the first.
  explicit SignalWatcher(std::function<void(int)> on_stop);
  ~SignalWatcher();
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  void watch();

  const std::function<void(int)> on_stop_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace stint::app
