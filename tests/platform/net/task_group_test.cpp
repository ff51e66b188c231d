#include "platform/net/task_group.h"

#include <gtest/gtest.h>

#include "platform/net/cancel_scope.h"
#include "platform/net/race.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Task<bool> sleep_for(const base::Clock& clock, base::Duration span) {
  co_return co_await sleep_until(base::Deadline::after(clock, span));
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

}  // namespace
}  // namespace stint::net
