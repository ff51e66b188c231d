#include "platform/net/cancel_scope.h"

#include "platform/base/assert.h"
#include "platform/net/waiter.h"

namespace stint::net {

CancelScope::CancelScope(CancelScope& parent) : loop_(parent.loop_), cancelled_(parent.cancelled_) {
  parent.children_.push_back(*this);
}

CancelScope::~CancelScope() {
  STINT_ASSERT(waiters_.empty() && children_.empty());
}

void CancelScope::cancel() {
  cancelled_ = true;
  while (Waiter* waiter = waiters_.front()) waiter->wake(Wake::cancelled);
  // A child that is cancelled leaves the list: it has nothing left to be told.
  while (CancelScope* child = children_.front()) {
    child->unlink();
    child->cancel();
  }
}

}  // namespace stint::net
