// Worker: one thread for bounded CPU work or blocking calls (resolver, files), so that the io thread never stalls.
// Thread-safe. offload() runs a function there and resumes the task on its loop with the result. A full queue refuses
// with ErrorKind::overloaded: nothing waits without a bound. The worker must outlive the loops that offload to it, and
// the function's references live in the awaiting frame: an offload is never abandoned, so cancelling its scope takes
// effect only once the function has returned.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <type_traits>

#include "platform/base/bounded_queue.h"
#include "platform/base/result.h"
#include "platform/net/waiter.h"

namespace stint::net {

class Worker {
 public:
  // `name` (up to 15 bytes) is the thread's name in ps and gdb.
  Worker(const char* name, std::size_t queue_capacity);
  // Finishes what is queued, then joins.
  ~Worker();

  // False if the queue is full. `job` must not throw.
  bool try_submit(std::move_only_function<void()> job);
  std::size_t queued_count() const { return queue_.size(); }

 private:
  void run();

  base::BoundedQueue<std::move_only_function<void()>> queue_;
  std::thread thread_;
};

class OffloadWait : public Waiter {
 public:
  OffloadWait(Worker& worker, std::move_only_function<void()> job) : worker_(worker), job_(std::move(job)) {}
  bool await_ready() const noexcept { return false; }
  template <typename Parent>
  bool await_suspend(std::coroutine_handle<Parent> parent) {
    return submit(parent, *parent.promise().scope);
  }
  // False if the worker's queue was full.
  bool await_resume() const noexcept { return accepted_; }

 private:
  bool submit(std::coroutine_handle<> handle, CancelScope& scope);

  Worker& worker_;
  std::move_only_function<void()> job_;
  bool accepted_ = false;
};

// Runs fn() on the worker; fn must not throw and must not touch what the loop's thread uses meanwhile.
template <typename Fn, typename T = std::invoke_result_t<Fn>>
Task<Result<T>> offload(Worker& worker, Fn fn) {
  if constexpr (std::is_void_v<T>) {
    OffloadWait wait(worker, [&fn] { fn(); });
    const bool accepted = co_await wait;
    if (accepted) co_return Result<T>();
  } else {
    std::optional<T> value;
    OffloadWait wait(worker, [&fn, &value] { value.emplace(fn()); });
    const bool accepted = co_await wait;
    if (accepted) co_return std::move(*value);
  }
  co_return fail(ErrorKind::overloaded, "The queue of the worker thread is full; try again shortly.");
}

}  // namespace stint::net
