// CancelScope: the set of awaits that end together. Every Task runs in one scope, inherited from the Task that awaits
// it; a TaskGroup or race opens a child. cancel() completes every suspended leaf await of the scope and of its children
// with "cancelled", and makes later ones complete at once. Single-threaded; must outlive the Tasks that run in it.
#pragma once

#include "platform/net/intrusive_list.h"

namespace stint::net {

class Loop;
class Waiter;
struct ScopeTag;
struct ChildTag;

class CancelScope : public IntrusiveLink<ChildTag> {
 public:
  explicit CancelScope(Loop& loop) : loop_(loop) {}
  // A child: cancelled with its parent, and from the start if the parent already is.
  explicit CancelScope(CancelScope& parent);
  ~CancelScope();

  void cancel();
  bool cancelled() const { return cancelled_; }
  Loop& loop() const { return loop_; }

 private:
  friend class Waiter;

  Loop& loop_;
  bool cancelled_ = false;
  IntrusiveList<Waiter, ScopeTag> waiters_;
  IntrusiveList<CancelScope, ChildTag> children_;
};

}  // namespace stint::net
