#include "platform/net/worker.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "platform/net/task.h"

namespace stint::net {
namespace {

std::thread::id here() {
  return std::this_thread::get_id();
}

Task<Result<std::thread::id>> where(Worker& worker) {
  return offload(worker, [] { return here(); });
}

TEST(Offload, runs_on_the_worker_and_comes_back_to_the_loop) {
  const base::SystemClock clock;
  MemoryPoller poller;
  Worker worker("test-worker", 4);
  Loop loop(clock, poller);
  const auto thread = loop.run(where(worker));
  ASSERT_TRUE(thread);
  EXPECT_NE(*thread, here());
}

Task<Result<void>> block(Worker& worker, std::latch& started, std::latch& release) {
  return offload(worker, [&] {
    started.count_down();
    release.wait();
  });
}

Task<bool> fill_and_overflow(Worker& worker) {
  std::latch started(1);
  std::latch release(1);
  TaskGroup group(co_await current_scope());
  const auto ignore = [](Task<Result<void>> task) -> Task<void> { EXPECT_TRUE(co_await std::move(task)); };
  group.spawn(ignore(block(worker, started, release)));
  co_await yield();
  started.wait();
  std::latch ready(1);
  group.spawn(ignore(block(worker, ready, release)));
  co_await yield();
  const auto refused = co_await offload(worker, [] { return 1; });
  release.count_down();
  co_await group.join();
  co_return !refused && refused.error().kind == ErrorKind::overloaded;
}

TEST(Offload, a_full_queue_refuses) {
  const base::SystemClock clock;
  MemoryPoller poller;
  Worker worker("test-worker", 1);
  Loop loop(clock, poller);
  EXPECT_TRUE(loop.run(fill_and_overflow(worker)));
}

Task<void> offload_and_mark(Worker& worker, std::latch& started, std::latch& release, bool& done) {
  const auto result = co_await block(worker, started, release);
  done = result.has_value();
}

TEST(Offload, shutdown_waits_for_the_job_it_cannot_cancel) {
  const base::SystemClock clock;
  MemoryPoller poller;
  Worker worker("test-worker", 1);
  std::latch started(1);
  std::latch release(1);
  bool done = false;
  Loop loop(clock, poller);
  loop.spawn(offload_and_mark(worker, started, release, done));
  loop.run_until_idle();
  std::thread releaser([&] {
    started.wait();
    release.count_down();
  });
  loop.shutdown();
  EXPECT_TRUE(done);
  releaser.join();
}

}  // namespace
}  // namespace stint::net
