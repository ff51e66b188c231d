// FakeLoop: a loop without sockets on a clock that the test moves. Nothing in it ever waits for real time.
#pragma once

#include <optional>
#include <utility>

#include "platform/net/task.h"
#include "tests/fakes/fake_clock.h"

namespace stint::fakes {

class FakeLoop {
 public:
  FakeClock& clock() { return clock_; }
  net::Loop& loop() { return loop_; }

  void spawn(net::Task<void> task) {
    loop_.spawn(std::move(task));
    loop_.run_until_idle();
  }
  void settle() { loop_.run_until_idle(); }

  // Moves the clock by `span`, stopping at every deadline on the way, as real time would.
  void advance(base::Duration span) {
    const base::TimePoint target = clock_.now() + span;
    loop_.run_until_idle();
    while (true) {
      const auto next = loop_.next_deadline();
      if (!next || *next > target) break;
      if (*next > clock_.now()) clock_.advance(*next - clock_.now());
      loop_.run_until_idle();
    }
    clock_.advance(target - clock_.now());
    loop_.run_until_idle();
  }

  // Runs the task as far as it goes without time passing; nullopt if it then still waits (it goes on with later calls,
  // so `result` must outlive it).
  template <typename T>
  void start(net::Task<T> task, std::optional<T>& result) {
    spawn(store(std::move(task), result));
  }

  // Runs a task that needs no time to pass to its end.
  template <typename T>
  T run(net::Task<T> task) {
    std::optional<T> result;
    start(std::move(task), result);
    STINT_ASSERT(result.has_value());
    return std::move(*result);
  }

 private:
  template <typename T>
  static net::Task<void> store(net::Task<T> task, std::optional<T>& result) {
    result.emplace(co_await std::move(task));
  }

  FakeClock clock_;
  net::MemoryPoller poller_;
  net::Loop loop_{clock_, poller_};
};

}  // namespace stint::fakes
