// Loop: one thread's event loop. It resumes coroutines, keeps every deadline in one heap on the injected Clock, and
// blocks in a Poller when idle. Only post() and stop() may be called from other threads. It does not own the clock or
// the poller, which outlive it. Bounds: the ready queue and the heap hold at most one entry per suspended await; posted
// calls are bounded by those who post (each part that posts keeps at most a fixed number under way).
#pragma once

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "platform/base/clock.h"
#include "platform/net/cancel_scope.h"
#include "platform/net/coroutine.h"
#include "platform/net/poller.h"
#include "platform/net/timer_heap.h"

namespace stint::net {

class Loop {
 public:
  Loop(const base::Clock& clock, Poller& poller);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  // Calls shutdown() if nobody did.
  ~Loop();

  const base::Clock& clock() const { return clock_; }
  // Thread-safe. `call` runs on the loop's thread, in the order of the posts.
  void post(std::move_only_function<void()> call);
  // Starts a root task, which the loop owns until it ends. Runs its first step from the loop, not from within this
  // call.
  void spawn(Task<void> task);

  // Runs until stop(). Thread-safe: stop() may come from anywhere, also before run().
  void run();
  void stop();
  // Runs `task` to its end and returns its result.
  template <typename T>
  T run(Task<T> task) {
    std::optional<T> result;
    run_root(store(std::move(task), result));
    return std::move(*result);
  }
  void run(Task<void> task) { run_root(std::move(task)); }
  // Runs what can run without waiting: ready tasks, posted calls, deadlines that have passed. For tests.
  void run_until_idle();
  // Cancels every root task and runs until all have ended. Call it while everything that they refer to still lives.
  void shutdown();

  std::optional<base::TimePoint> next_deadline() const { return timers_.earliest(); }
  std::size_t root_count() const { return root_count_; }

  // For Waiter: queue a coroutine; the heap of deadlines.
  void make_ready(std::coroutine_handle<> handle) { ready_.push_back(handle); }
  TimerHeap& timers() { return timers_; }

 private:
  struct Root;

  template <typename T>
  static Task<void> store(Task<T> task, std::optional<T>& result) {
    result.emplace(co_await std::move(task));
  }
  Root run_to_end(Task<void> task);
  void run_root(Task<void> task);
  bool run_ready();
  bool run_posted();
  bool fire_timers();
  bool step();
  void block();

  const base::Clock& clock_;
  Poller& poller_;
  TimerHeap timers_;
  std::vector<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> running_;
  std::size_t root_count_ = 0;
  std::atomic<bool> stopped_ = false;

  std::mutex posted_mutex_;
  std::vector<std::move_only_function<void()>> posted_;
  std::vector<std::move_only_function<void()>> posted_running_;
  std::atomic<bool> posted_pending_ = false;

  CancelScope root_scope_;
};

}  // namespace stint::net
