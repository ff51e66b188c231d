#include "platform/net/waiter.h"

#include "platform/net/await.h"
#include "platform/net/loop.h"

namespace stint::net {

bool Waiter::suspend(std::coroutine_handle<> handle, CancelScope& scope, base::Deadline deadline) {
  if (scope.cancelled()) {
    reason_ = Wake::cancelled;
    return false;
  }
  suspend_shielded(handle, scope);
  scope.waiters_.push_back(*this);
  if (deadline.at != base::TimePoint::max()) scope.loop().timers().arm(*this, deadline);
  return true;
}

void Waiter::suspend_shielded(std::coroutine_handle<> handle, CancelScope& scope) {
  handle_ = handle;
  scope_ = &scope;
}

void Waiter::wake(Wake reason) {
  if (reason_ != Wake::none) return;
  reason_ = reason;
  IntrusiveLink<SourceTag>::unlink();
  IntrusiveLink<ScopeTag>::unlink();
  scope_->loop().timers().disarm(*this);
  scope_->loop().make_ready(handle_);
}

void Yield::requeue(std::coroutine_handle<> handle, CancelScope& scope) {
  scope.loop().make_ready(handle);
}

}  // namespace stint::net
