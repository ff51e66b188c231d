// WorkerPool: the threads that compute one step. The caller of run() is worker 0; thread_count - 1 threads of the pool
// are the others. One caller at a time. Workers spin briefly at sync points and then block, so that an oversubscribed
// or idle machine is not burnt. Owns its threads; the destructor joins them. Limits: kThreadCountMax.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace stint::kernels {

inline constexpr std::uint32_t kThreadCountMax = 256;

// Non-owning reference to a callable `void(std::uint32_t worker)`; std::function would allocate once a step.
class WorkerTask {
 public:
  template <typename Callable>
  explicit WorkerTask(Callable& callable)
      : object_(&callable),
        call_([](void* object, std::uint32_t worker) { (*static_cast<Callable*>(object))(worker); }) {}

  void operator()(std::uint32_t worker) const { call_(object_, worker); }

 private:
  void* object_;
  void (*call_)(void*, std::uint32_t);
};

class WorkerPool {
 public:
  // `thread_count` includes the caller; 0 counts as 1, more than kThreadCountMax as kThreadCountMax.
  explicit WorkerPool(std::uint32_t thread_count);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::uint32_t thread_count() const { return thread_count_; }

  // Calls task(worker) once for every worker in [0, thread_count) and returns when all have returned.
  template <typename Callable>
  void run(Callable&& task) {
    run_task(WorkerTask(task));
  }

  // Inside a task: returns when every worker has called it. What was written before it by any worker is visible after
  // it to all. Every worker must make the same number of calls.
  void sync();

 private:
  void run_task(const WorkerTask& task);
  void work(std::uint32_t worker);

  const std::uint32_t thread_count_;
  const WorkerTask* task_ = nullptr;          // published by generation_
  std::atomic<std::uint32_t> generation_{0};  // counts runs
  std::atomic<bool> stopping_{false};
  alignas(64) std::atomic<std::uint32_t> arrived_{0};  // workers at the current sync point
  alignas(64) std::atomic<std::uint32_t> phase_{0};    // counts sync points passed
  std::vector<std::thread> threads_;
};

// The share of worker `worker` when `count` things are dealt out in units of `unit`, as evenly as units allow.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
Range share_of(std::uint32_t count, std::uint32_t unit, std::uint32_t worker, std::uint32_t worker_count);

}  // namespace stint::kernels
