// Waiter: one suspended leaf await (Notify, sleep, offload). It lives in the frame of the awaiting coroutine and is
// linked in up to three places: the list of the thing awaited, the timer heap, its cancel scope. The first of the three
// to fire unlinks it from the others and queues the coroutine on the loop. Single-threaded, allocates nothing.
#pragma once

#include <coroutine>
#include <cstdint>

#include "platform/base/clock.h"
#include "platform/net/cancel_scope.h"
#include "platform/net/coroutine.h"
#include "platform/net/intrusive_list.h"
#include "platform/net/timer_heap.h"

namespace stint::net {

enum class Wake : std::uint8_t { none, signalled, timeout, cancelled };

struct SourceTag;

class Waiter : public TimerNode, public IntrusiveLink<SourceTag>, public IntrusiveLink<ScopeTag> {
 public:
  Wake wake_reason() const { return reason_; }
  // Resumes the coroutine from the loop, once; later calls do nothing.
  void wake(Wake reason);

 protected:
  Waiter() = default;
  // False, with the reason set, if the scope is cancelled or the deadline has passed: the coroutine goes on at once.
  bool suspend(std::coroutine_handle<> handle, CancelScope& scope, base::Deadline deadline);
  // As above for an await that must not end early, because another thread works for it.
  void suspend_shielded(std::coroutine_handle<> handle, CancelScope& scope);

 private:
  std::coroutine_handle<> handle_;
  CancelScope* scope_ = nullptr;
  Wake reason_ = Wake::none;
};

}  // namespace stint::net
