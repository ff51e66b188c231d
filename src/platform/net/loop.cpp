#include "platform/net/loop.h"

#include <utility>

#include "platform/base/assert.h"
#include "platform/net/waiter.h"

namespace stint::net {

namespace {

// Rounds of ready tasks between two looks at the sockets: saves system calls while tasks wake each other, without
// letting them starve the sockets.
constexpr int kRoundsPerPoll = 8;

Task<void> mark_done(Task<void> task, bool& done) {
  co_await std::move(task);
  done = true;
}

}  // namespace

struct Loop::Root {
  struct promise_type : PromiseBase {
    Root get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

Loop::Loop(const base::Clock& clock, Poller& poller) : clock_(clock), poller_(poller), root_scope_(*this) {}

Loop::~Loop() {
  shutdown();
}

void Loop::post(std::move_only_function<void()> call) {
  {
    const std::lock_guard lock(posted_mutex_);
    posted_.push_back(std::move(call));
  }
  if (!posted_pending_.exchange(true)) poller_.wake();
}

Loop::Root Loop::run_to_end(Task<void> task) {
  co_await std::move(task);
  --root_count_;
}

void Loop::spawn(Task<void> task) {
  const Root root = run_to_end(std::move(task));
  root.handle.promise().scope = &root_scope_;
  ++root_count_;
  make_ready(root.handle);
}

void Loop::run() {
  while (!stopped_) {
    step();
    block();
  }
}

void Loop::stop() {
  stopped_ = true;
  poller_.wake();
}

void Loop::run_root(Task<void> task) {
  bool done = false;
  spawn(mark_done(std::move(task), done));
  step();
  while (!done) {
    block();
    step();
  }
}

void Loop::run_until_idle() {
  do {
    poller_.wait(base::Duration::zero());
  } while (step());
}

void Loop::shutdown() {
  root_scope_.cancel();
  for (step(); root_count_ > 0; step()) block();
}

bool Loop::step() {
  bool progress = false;
  for (int round = 0; round < kRoundsPerPoll; ++round) {
    const bool posted = run_posted();
    const bool fired = fire_timers();
    const bool ran = run_ready();
    if (!posted && !fired && !ran) break;
    progress = true;
  }
  return progress;
}

bool Loop::run_ready() {
  if (ready_.empty()) return false;
  std::swap(ready_, running_);
  for (const std::coroutine_handle<> handle : running_) handle.resume();
  running_.clear();
  return true;
}

bool Loop::run_posted() {
  if (!posted_pending_.load(std::memory_order_acquire)) return false;
  posted_pending_ = false;
  {
    const std::lock_guard lock(posted_mutex_);
    std::swap(posted_, posted_running_);
  }
  for (auto& call : posted_running_) call();
  posted_running_.clear();
  return true;
}

bool Loop::fire_timers() {
  if (timers_.size() == 0) return false;
  const base::TimePoint now = clock_.now();
  bool fired = false;
  while (TimerNode* node = timers_.pop_due(now)) {
    // Only Waiter::suspend arms nodes on a loop's heap.
    static_cast<Waiter*>(node)->wake(Wake::timeout);
    fired = true;
  }
  return fired;
}

void Loop::block() {
  base::Duration span = base::Duration::max();
  if (!ready_.empty()) {
    span = base::Duration::zero();
  } else if (const auto deadline = timers_.earliest()) {
    span = std::max(*deadline - clock_.now(), base::Duration::zero());
  }
  poller_.wait(span);
}

}  // namespace stint::net
