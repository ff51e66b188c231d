#include "platform/net/task_group.h"

#include "platform/net/loop.h"

namespace stint::net {

struct TaskGroup::Child {
  struct promise_type : PromiseBase {
    Child get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};

namespace {

// Not cancellable itself: the children are cancelled through the scope, and the owner must not leave before they have
// ended.
class JoinWait : public Waiter {
 public:
  explicit JoinWait(Waiter*& joiner) : joiner_(joiner) {}
  bool await_ready() const noexcept { return false; }
  template <typename Parent>
  void await_suspend(std::coroutine_handle<Parent> parent) {
    suspend_shielded(parent, *parent.promise().scope);
    joiner_ = this;
  }
  void await_resume() noexcept { joiner_ = nullptr; }

 private:
  Waiter*& joiner_;
};

}  // namespace

TaskGroup::Child TaskGroup::run(Task<void> task) {
  co_await std::move(task);
  if (--running_count_ == 0 && joiner_ != nullptr) joiner_->wake(Wake::signalled);
}

void TaskGroup::spawn(Task<void> task) {
  const Child child = run(std::move(task));
  child.handle.promise().scope = &scope_;
  ++running_count_;
  scope_.loop().make_ready(child.handle);
}

Task<void> TaskGroup::join() {
  STINT_ASSERT(joiner_ == nullptr);
  while (running_count_ > 0) {
    JoinWait wait(joiner_);
    co_await wait;
  }
}

}  // namespace stint::net
