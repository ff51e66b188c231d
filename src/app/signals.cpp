#include "app/signals.h"

#include <pthread.h>

#include <csignal>

#include "platform/base/assert.h"

namespace stint::app {

namespace {

// SIGUSR2 only wakes the watcher when it is to end.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

}  // namespace

SignalWatcher::SignalWatcher(std::function<void(int)> on_stop) : on_stop_(std::move(on_stop)) {
  const sigset_t set = watched_signals();
  STINT_ASSERT(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);  // a client that left is an error of write, not the end of the process
  thread_ = std::thread([this] { watch(); });
}

SignalWatcher::~SignalWatcher() {
  ended_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
}

void SignalWatcher::watch() {
  const sigset_t set = watched_signals();
  int count = 0;
  while (true) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0 || ended_) return;
    if (signal != SIGUSR2) on_stop_(++count);
  }
}

}  // namespace stint::app
