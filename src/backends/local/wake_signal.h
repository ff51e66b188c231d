// WakeSignal: lets the engine's driver wake a stream on the io thread. raise() may be called from any thread and never
// blocks; the rest belongs to the io thread. Shared by the stream and the callbacks it gave to the engine, so that a
// late wake of a stream that is gone does no harm. At most one posted call is under way at a time.
#pragma once

#include <atomic>
#include <memory>

#include "platform/net/task.h"

namespace stint::local {

class WakeSignal : public std::enable_shared_from_this<WakeSignal> {
 public:
  // `loop` outlives every thread that raises.
  explicit WakeSignal(net::Loop& loop) : loop_(loop) {}

  void raise() {
    if (posted_.exchange(true)) return;
    loop_.post([self = shared_from_this()] {
      self->posted_ = false;
      self->raised_.notify_all();
    });
  }

  // True when raised, false when the deadline passed or the scope was cancelled. Check for work before waiting.
  net::Notify::Wait wait(base::Deadline deadline) { return raised_.wait(deadline); }
  // The same as raise() from the io thread itself.
  void notify() { raised_.notify_all(); }

 private:
  net::Loop& loop_;
  std::atomic<bool> posted_ = false;
  net::Notify raised_;
};

}  // namespace stint::local
