#include "platform/net/worker.h"

#include <pthread.h>

#include <string>
#include <utility>

#include "platform/net/loop.h"

namespace stint::net {

Worker::Worker(const char* name, std::size_t queue_capacity)
    : queue_(queue_capacity), thread_([this, label = std::string(name)] {
        pthread_setname_np(pthread_self(), label.substr(0, 15).c_str());
        run();
      }) {}

Worker::~Worker() {
  queue_.close();
  thread_.join();
}

bool Worker::try_submit(std::move_only_function<void()> job) {
  return queue_.try_push(std::move(job));
}

void Worker::run() {
  while (auto job = queue_.pop()) (*job)();
}

bool OffloadWait::submit(std::coroutine_handle<> handle, CancelScope& scope) {
  suspend_shielded(handle, scope);
  accepted_ = true;
  const bool queued = worker_.try_submit([this, &loop = scope.loop()] {
    job_();
    loop.post([this] { wake(Wake::signalled); });
  });
  if (!queued) accepted_ = false;
  return queued;
}

}  // namespace stint::net
