// TaskGroup: child tasks that run side by side in one scope and end before their owner goes on. Single-threaded, lives
// in the frame of the owning task. Its destructor asserts that everything was joined, so a child never outlives what it
// refers to.
#pragma once

#include <cstddef>

#include "platform/net/notify.h"

namespace stint::net {

class TaskGroup {
 public:
  // Cancelled together with `parent`; take it from `co_await current_scope()`.
  explicit TaskGroup(CancelScope& parent) : scope_(parent) {}
  ~TaskGroup() { STINT_ASSERT(running_count_ == 0); }

  // Starts from the loop, not from within this call.
  void spawn(Task<void> task);
  void cancel() { scope_.cancel(); }
  // Waits until every child has ended, also when the owner is cancelled (the children then are as well).
  Task<void> join();
  std::size_t running_count() const { return running_count_; }

 private:
  struct Child;
  Child run(Task<void> task);

  CancelScope scope_;
  std::size_t running_count_ = 0;
  Waiter* joiner_ = nullptr;
};

}  // namespace stint::net
