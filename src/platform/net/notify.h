// Notify and Latch: how tasks of one loop wake each other. Notify is a condition variable without a mutex: everything
// runs on one thread, so "check the condition, then wait" is atomic, and a notification without waiters is forgotten.
// Latch is an event that happens once and stays. Not thread-safe: other threads post to the loop. Waiters must be gone
// before either dies.
#pragma once

#include <functional>

#include "platform/net/waiter.h"

namespace stint::net {

class Notify {
 public:
  Notify() = default;
  Notify(const Notify&) = delete;
  Notify& operator=(const Notify&) = delete;
  ~Notify() { STINT_ASSERT(waiters_.empty()); }

  void notify_one();
  void notify_all();
  bool has_waiters() const { return !waiters_.empty(); }

  class Wait : public Waiter {
   public:
    Wait(Notify& source, base::Deadline deadline) : source_(source), deadline_(deadline) {}
    bool await_ready() const noexcept { return false; }
    template <typename Parent>
    bool await_suspend(std::coroutine_handle<Parent> parent) {
      if (!suspend(parent, *parent.promise().scope, deadline_)) return false;
      source_.waiters_.push_back(*this);
      return true;
    }
    bool await_resume() const noexcept { return wake_reason() == Wake::signalled; }

   private:
    Notify& source_;
    const base::Deadline deadline_;
  };

  // co_await gives true when notified, false when the deadline passed or the scope was cancelled.
  Wait wait(base::Deadline deadline) { return Wait(*this, deadline); }

 private:
  IntrusiveList<Waiter, SourceTag> waiters_;
};

class Latch {
 public:
  bool is_set() const { return set_; }
  // Wakes all who wait and runs the callback, from within the call. Later calls do nothing.
  void set();
  // One callback, replaced by the next one; runs at once if the latch is set. Empty to remove.
  void on_set(std::move_only_function<void()> callback);

  class Wait : public Notify::Wait {
   public:
    Wait(Latch& latch, base::Deadline deadline) : Notify::Wait(latch.notify_, deadline), latch_(latch) {}
    bool await_ready() const noexcept { return latch_.set_; }
    bool await_resume() const noexcept { return latch_.set_; }

   private:
    Latch& latch_;
  };

  // co_await gives true once the latch is set, false when the deadline passed or the scope was cancelled before that.
  Wait wait(base::Deadline deadline = base::Deadline::never()) { return Wait(*this, deadline); }

 private:
  Notify notify_;
  std::move_only_function<void()> callback_;
  bool set_ = false;
};

}  // namespace stint::net
