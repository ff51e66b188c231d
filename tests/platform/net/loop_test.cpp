#include "platform/net/loop.h"

#include <gtest/gtest.h>

#include <thread>

#include "platform/net/poller.h"
#include "platform/net/socket_poller.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

template <typename PollerType>
void post_from_many_threads() {
  const base::SystemClock clock;
  PollerType poller;
  Loop loop(clock, poller);
  constexpr int kThreadCount = 4;
  constexpr int kPostCount = 1000;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreadCount; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kPostCount; ++i) {
        loop.post([&] {
          if (++count == kThreadCount * kPostCount) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreadCount * kPostCount);
}

TEST(Loop, runs_calls_posted_from_other_threads) {
  post_from_many_threads<MemoryPoller>();
  post_from_many_threads<SocketPoller>();
}

Task<int> wait_briefly(const base::Clock& clock) {
  co_return co_await sleep_until(base::Deadline::after(clock, std::chrono::milliseconds(1))) ? 5 : 0;
}

TEST(Loop, blocks_until_a_deadline_of_the_real_clock) {
  const base::SystemClock clock;
  SocketPoller poller;
  Loop loop(clock, poller);
  const base::TimePoint begin = clock.now();
  EXPECT_EQ(loop.run(wait_briefly(clock)), 5);
  EXPECT_GE(clock.now() - begin, std::chrono::milliseconds(1));
}

TEST(Loop, stop_before_run_is_not_lost) {
  const base::SystemClock clock;
  MemoryPoller poller;
  Loop loop(clock, poller);
  loop.stop();
  loop.run();
}

Task<void> wait_for_ever(Notify& notify, bool& ended) {
  co_await notify.wait(base::Deadline::never());
  ended = true;
}

TEST(Loop, shutdown_ends_every_root) {
  Notify notify;
  fakes::FakeLoop fake;
  std::array<bool, 3> ended{};
  for (bool& flag : ended) fake.spawn(wait_for_ever(notify, flag));
  EXPECT_EQ(fake.loop().root_count(), 3u);
  fake.loop().shutdown();
  EXPECT_EQ(ended, (std::array{true, true, true}));
}

}  // namespace
}  // namespace stint::net
