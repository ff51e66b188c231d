#include "engine/kernels/worker_pool.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace stint::kernels {

namespace {

// About 20 us of pauses: longer than any imbalance inside a step, shorter than what a blocked io thread would notice.
constexpr std::uint32_t kSpinCount = 700;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Returns when `word` no longer holds `old`: spins first, then sleeps on a futex.
void wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (std::uint32_t i = 0; i < kSpinCount; ++i) {
    if (word.load(std::memory_order_acquire) != old) return;
    pause();
  }
  word.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(std::uint32_t thread_count) : thread_count_(std::clamp(thread_count, 1U, kThreadCountMax)) {
  for (std::uint32_t worker = 1; worker < thread_count_; ++worker)
    threads_.emplace_back([this, worker] { work(worker); });
}

WorkerPool::~WorkerPool() {
  stopping_.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run_task(const WorkerTask& task) {
  task_ = &task;
  if (thread_count_ > 1) {
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }
  task(0);
  sync();
}

void WorkerPool::work(std::uint32_t worker) {
  for (std::uint32_t seen = 0;; ++seen) {
    wait_for_change(generation_, seen);
    if (stopping_.load(std::memory_order_relaxed)) return;
    (*task_)(worker);
    sync();
  }
}

void WorkerPool::sync() {
  if (thread_count_ == 1) return;
  const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < thread_count_) {
    wait_for_change(phase_, phase);
    return;
  }
  arrived_.store(0, std::memory_order_relaxed);
  phase_.store(phase + 1, std::memory_order_release);
  phase_.notify_all();
}

Range share_of(std::uint32_t count, std::uint32_t unit, std::uint32_t worker, std::uint32_t worker_count) {
  const std::uint64_t units = (count + unit - 1) / unit;
  const std::uint64_t begin = units * worker / worker_count * unit;
  const std::uint64_t end = units * (worker + 1) / worker_count * unit;
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(begin, count)),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(end, count))};
}

}  // namespace stint::kernels
