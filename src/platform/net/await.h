// The leaf awaits that need no object: current_scope, sleep_until, yield. They allocate nothing. Single-threaded, to be
// awaited inside a Task only.
#pragma once

#include "platform/net/waiter.h"

namespace stint::net {

class CurrentScope {
 public:
  bool await_ready() const noexcept { return false; }
  template <typename Parent>
  bool await_suspend(std::coroutine_handle<Parent> parent) noexcept {
    scope_ = parent.promise().scope;
    return false;
  }
  CancelScope& await_resume() const noexcept { return *scope_; }

 private:
  CancelScope* scope_ = nullptr;
};

// The scope this task runs in; its loop() leads to the clock. Never suspends.
inline CurrentScope current_scope() {
  return {};
}

class Sleep : public Waiter {
 public:
  explicit Sleep(base::Deadline deadline) : deadline_(deadline) {}
  bool await_ready() const noexcept { return false; }
  template <typename Parent>
  bool await_suspend(std::coroutine_handle<Parent> parent) {
    return suspend(parent, *parent.promise().scope, deadline_);
  }
  bool await_resume() const noexcept { return wake_reason() == Wake::timeout; }

 private:
  const base::Deadline deadline_;
};

// co_await gives true at the deadline, false if the scope was cancelled before.
inline Sleep sleep_until(base::Deadline deadline) {
  return Sleep(deadline);
}

class Yield {
 public:
  bool await_ready() const noexcept { return false; }
  template <typename Parent>
  void await_suspend(std::coroutine_handle<Parent> parent) {
    requeue(parent, *parent.promise().scope);
  }
  void await_resume() const noexcept {}

 private:
  static void requeue(std::coroutine_handle<> handle, CancelScope& scope);
};

// Lets every other ready task of the loop run first.
inline Yield yield() {
  return {};
}

}  // namespace stint::net
