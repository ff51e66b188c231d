// Task<T>: the coroutine type of the io thread. Lazy (starts when awaited), one awaiter, move-only; the frame is owned
// by the Task. Not thread-safe: a Task lives and dies on the thread of its Loop. A Task that was started must run to
// its end before it is destroyed; CancelScope (see task.h) is how it is told to hurry. Exceptions that leave a Task are
// bugs and abort the process: failures travel as Result<T>.
#pragma once

#include <coroutine>
#include <optional>
#include <utility>

#include "platform/base/assert.h"

namespace stint::net {

class CancelScope;

// Reports the exception in flight and aborts.
[[noreturn]] void exception_left_task() noexcept;

// What every Task coroutine carries: who waits for it, and the scope that can cancel it.
struct PromiseBase {
  std::coroutine_handle<> continuation;
  CancelScope* scope = nullptr;

  std::suspend_always initial_suspend() noexcept { return {}; }

  struct ResumeContinuation {
    bool await_ready() noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
      return self.promise().continuation;
    }
    void await_resume() noexcept {}
  };
  ResumeContinuation final_suspend() noexcept { return {}; }
  [[noreturn]] void unhandled_exception() noexcept { exception_left_task(); }
};

template <typename T = void>
class [[nodiscard]] Task;

template <typename T>
struct Promise final : PromiseBase {
  std::optional<T> value;

  Task<T> get_return_object() noexcept;
  template <typename U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> final : PromiseBase {
  Task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  void take() noexcept {}
};

template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Starts the task inside the awaiting task's scope, or inside `scope` if one is given by run_in.
  auto operator co_await() && noexcept { return Awaiter{handle_, nullptr}; }
  auto run_in(CancelScope& scope) && noexcept { return Awaiter{handle_, &scope}; }

 private:
  friend promise_type;
  explicit Task(Handle handle) : handle_(handle) {}

  struct Awaiter {
    Handle handle;
    CancelScope* scope;

    bool await_ready() noexcept {
      STINT_ASSERT(handle && !handle.done());
      return false;
    }
    template <typename Parent>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Parent> parent) noexcept {
      handle.promise().continuation = parent;
      handle.promise().scope = scope != nullptr ? scope : parent.promise().scope;
      return handle;
    }
    T await_resume() { return handle.promise().take(); }
  };

  Handle handle_;
};

template <typename T>
Task<T> Promise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

}  // namespace stint::net
