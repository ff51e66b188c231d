#include "platform/net/coroutine.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "platform/net/await.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Task<int> value(int n) {
  co_return n;
}

Task<std::int64_t> sum_to(int n) {
  std::int64_t sum = 0;
  for (int i = 1; i <= n; ++i) sum += co_await value(i);
  co_return sum;
}

TEST(Task, returns_what_it_computed_without_growing_the_stack) {
  fakes::FakeLoop fake;
  EXPECT_EQ(fake.run(sum_to(10)), 55);
  EXPECT_EQ(fake.run(sum_to(300'000)), 45'000'150'000);
}

Task<std::unique_ptr<int>> move_only() {
  co_return std::make_unique<int>(7);
}

Task<int> unwrap() {
  const std::unique_ptr<int> held = co_await move_only();
  co_return *held;
}

TEST(Task, carries_move_only_values) {
  fakes::FakeLoop fake;
  EXPECT_EQ(fake.run(unwrap()), 7);
}

Task<void> hold(std::shared_ptr<int>) {
  co_return;
}

TEST(Task, that_was_never_awaited_destroys_its_arguments) {
  const auto shared = std::make_shared<int>(1);
  {
    const Task<void> task = hold(shared);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

Task<void> throwing() {
  throw std::runtime_error("from a task");
  co_return;
}

TEST(TaskDeathTest, an_exception_is_a_bug) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        fakes::FakeLoop fake;
        fake.spawn(throwing());
      },
      "from a task");
}

Task<bool> sleep_for(const base::Clock& clock, base::Duration span) {
  co_return co_await sleep_until(base::Deadline::after(clock, span));
}

TEST(Sleep, ends_at_its_deadline_and_not_before) {
  fakes::FakeLoop fake;
  std::optional<bool> slept;
  fake.start(sleep_for(fake.clock(), seconds(5)), slept);
  fake.advance(milliseconds(4999));
  EXPECT_FALSE(slept);
  fake.advance(milliseconds(1));
  EXPECT_EQ(slept, true);
}

TEST(Sleep, ends_with_false_when_the_loop_shuts_down) {
  fakes::FakeLoop fake;
  std::optional<bool> slept;
  fake.start(sleep_for(fake.clock(), seconds(5)), slept);
  fake.loop().shutdown();
  EXPECT_EQ(slept, false);
  EXPECT_EQ(fake.loop().root_count(), 0u);
}

Task<void> log_turns(std::vector<int>& log, int entry) {
  for (int i = 0; i < 3; ++i) {
    log.push_back(entry);
    co_await yield();
  }
}

TEST(Yield, lets_the_others_run) {
  fakes::FakeLoop fake;
  std::vector<int> log;
  fake.loop().spawn(log_turns(log, 1));
  fake.loop().spawn(log_turns(log, 2));
  fake.settle();
  EXPECT_EQ(log, (std::vector{1, 2, 1, 2, 1, 2}));
}

}  // namespace
}  // namespace stint::net
