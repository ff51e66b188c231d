#include "platform/net/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

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

Task<bool> wait_on(Notify& notify, base::Deadline deadline) {
  co_return co_await notify.wait(deadline);
}

TEST(Notify, wakes_one_or_all_in_order_of_waiting) {
  fakes::FakeLoop fake;
  Notify notify;
  std::array<std::optional<bool>, 3> woken;
  for (auto& result : woken) fake.start(wait_on(notify, base::Deadline::never()), result);
  notify.notify_one();
  fake.settle();
  EXPECT_EQ(woken[0], true);
  EXPECT_FALSE(woken[1]);
  notify.notify_all();
  fake.settle();
  EXPECT_EQ(woken[1], true);
  EXPECT_EQ(woken[2], true);
  EXPECT_FALSE(notify.has_waiters());
}

TEST(Notify, gives_false_at_the_deadline_and_forgets_the_waiter) {
  fakes::FakeLoop fake;
  Notify notify;
  std::optional<bool> woken;
  fake.start(wait_on(notify, base::Deadline::after(fake.clock(), seconds(1))), woken);
  fake.advance(seconds(1));
  EXPECT_EQ(woken, false);
  EXPECT_FALSE(notify.has_waiters());
}

TEST(Notify, a_notification_beats_a_deadline_of_the_same_turn) {
  fakes::FakeLoop fake;
  Notify notify;
  std::optional<bool> woken;
  fake.start(wait_on(notify, base::Deadline::after(fake.clock(), seconds(1))), woken);
  notify.notify_all();
  fake.advance(seconds(1));
  EXPECT_EQ(woken, true);
}

Task<bool> wait_latch(Latch& latch) {
  co_return co_await latch.wait();
}

TEST(Latch, stays_set_and_calls_back_once) {
  fakes::FakeLoop fake;
  Latch latch;
  int call_count = 0;
  latch.on_set([&] { ++call_count; });
  std::optional<bool> before;
  fake.start(wait_latch(latch), before);
  latch.set();
  latch.set();
  fake.settle();
  EXPECT_EQ(before, true);
  EXPECT_EQ(fake.run(wait_latch(latch)), true);
  EXPECT_EQ(call_count, 1);
  latch.on_set([&] { ++call_count; });
  EXPECT_EQ(call_count, 2);
}

Task<int> slow(const base::Clock& clock, base::Duration span, int result, int cancelled) {
  co_return co_await sleep_until(base::Deadline::after(clock, span)) ? result : cancelled;
}

TEST(Race, the_first_wins_and_the_loser_is_cancelled_and_joined) {
  fakes::FakeLoop fake;
  std::optional<RacePair<int, int>> outcome;
  fake.start(race(slow(fake.clock(), seconds(2), 2, -2), slow(fake.clock(), seconds(1), 1, -1)), outcome);
  fake.advance(milliseconds(999));
  EXPECT_FALSE(outcome);
  fake.advance(milliseconds(1));
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->first_won);
  EXPECT_EQ(outcome->first, -2);
  EXPECT_EQ(outcome->second, 1);
  EXPECT_FALSE(fake.loop().next_deadline());
}

TEST(Race, of_many_names_the_winner) {
  fakes::FakeLoop fake;
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 5; ++i) tasks.push_back(slow(fake.clock(), seconds(i == 3 ? 1 : 9), i, -i));
  std::optional<RaceResults<int>> outcome;
  fake.start(race(std::move(tasks)), outcome);
  fake.advance(seconds(1));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->winner_index, 3u);
  EXPECT_EQ(outcome->results, (std::vector{0, -1, -2, 3, -4}));
}

Task<int> race_inside_race(const base::Clock& clock) {
  const auto outcome = co_await race(slow(clock, seconds(8), 1, -1), slow(clock, seconds(9), 2, -2));
  co_return outcome.first + outcome.second;
}

TEST(Race, cancelling_reaches_races_inside) {
  fakes::FakeLoop fake;
  std::optional<RacePair<int, int>> outcome;
  fake.start(race(race_inside_race(fake.clock()), slow(fake.clock(), seconds(1), 1, 0)), outcome);
  fake.advance(seconds(1));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->first, -3);
}

Task<bool> sleep_twice_in_a_cancelled_scope(const base::Clock& clock) {
  CancelScope scope(co_await current_scope());
  scope.cancel();
  const bool first = co_await sleep_for(clock, seconds(1)).run_in(scope);
  const bool second = co_await sleep_for(clock, seconds(1)).run_in(scope);
  co_return first || second;
}

TEST(CancelScope, later_awaits_of_a_cancelled_scope_end_at_once) {
  fakes::FakeLoop fake;
  EXPECT_FALSE(fake.run(sleep_twice_in_a_cancelled_scope(fake.clock())));
}

Task<void> append_after(const base::Clock& clock, base::Duration span, std::vector<int>& log, int entry) {
  log.push_back(co_await sleep_until(base::Deadline::after(clock, span)) ? entry : -entry);
}

Task<int> run_group(const base::Clock& clock, std::vector<int>& log, bool cancel) {
  TaskGroup group(co_await current_scope());
  group.spawn(append_after(clock, seconds(2), log, 2));
  group.spawn(append_after(clock, seconds(1), log, 1));
  if (cancel) group.cancel();
  co_await group.join();
  co_return static_cast<int>(group.running_count());
}

TEST(TaskGroup, join_waits_for_every_child) {
  fakes::FakeLoop fake;
  std::vector<int> log;
  std::optional<int> left;
  fake.start(run_group(fake.clock(), log, false), left);
  fake.advance(seconds(1));
  EXPECT_FALSE(left);
  fake.advance(seconds(1));
  EXPECT_EQ(left, 0);
  EXPECT_EQ(log, (std::vector{1, 2}));
}

TEST(TaskGroup, cancel_and_outer_shutdown_end_the_children) {
  fakes::FakeLoop fake;
  std::vector<int> log;
  EXPECT_EQ(fake.run(run_group(fake.clock(), log, true)), 0);
  EXPECT_EQ(log, (std::vector{-2, -1}));
  std::optional<int> left;
  fake.start(run_group(fake.clock(), log, false), left);
  fake.loop().shutdown();
  EXPECT_EQ(left, 0);
  EXPECT_EQ(log, (std::vector{-2, -1, -2, -1}));
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
