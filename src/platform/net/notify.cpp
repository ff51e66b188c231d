#include "platform/net/notify.h"

namespace stint::net {

void Notify::notify_one() {
  if (Waiter* waiter = waiters_.front()) waiter->wake(Wake::signalled);
}

void Notify::notify_all() {
  while (Waiter* waiter = waiters_.front()) waiter->wake(Wake::signalled);
}

void Latch::set() {
  if (set_) return;
  set_ = true;
  notify_.notify_all();
  if (auto callback = std::exchange(callback_, {})) callback();
}

void Latch::on_set(std::move_only_function<void()> callback) {
  if (set_ && callback) return callback();
  callback_ = std::move(callback);
}

}  // namespace stint::net
