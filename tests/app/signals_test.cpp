#include "app/signals.h"

#include <gtest/gtest.h>

#include <csignal>
#include <latch>

namespace stint::app {
namespace {

TEST(SignalWatcher, counts_the_signals_that_ask_to_stop) {
  std::latch seen(2);
  std::atomic<int> last = 0;
  const SignalWatcher watcher([&](int count) {
    last = count;
    seen.count_down();
  });
  ::kill(::getpid(), SIGTERM);
  ::kill(::getpid(), SIGINT);
  seen.wait();
  EXPECT_EQ(last, 2);
}

TEST(SignalWatcher, ends_without_a_signal) {
  const SignalWatcher watcher([](int) { FAIL(); });
}

}  // namespace
}  // namespace stint::app
