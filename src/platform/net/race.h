// race: runs tasks side by side; when the first one ends, cancels the others and waits for them. Since losers are
// joined, every task has a result: a loser's is usually an error of kind cancelled, but may be a success that came in
// the same turn.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "platform/net/await.h"
#include "platform/net/task_group.h"

namespace stint::net {

// void becomes std::monostate, so that results can be stored.
template <typename T>
using Storable = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <typename A, typename B>
struct RacePair {
  bool first_won = false;
  Storable<A> first;
  Storable<B> second;
};

template <typename T>
struct RaceResults {
  std::size_t winner_index = 0;
  std::vector<Storable<T>> results;  // one per task, in the order given
};

namespace race_detail {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

template <typename T>
Task<void> run_lane(Task<T> task, std::size_t index, std::optional<Storable<T>>& result, std::size_t& winner,
                    TaskGroup& group) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    result.emplace();
  } else {
    result.emplace(co_await std::move(task));
  }
  if (winner == kNobody) {
    winner = index;
    group.cancel();
  }
}

}  // namespace race_detail

template <typename A, typename B>
Task<RacePair<A, B>> race(Task<A> first, Task<B> second) {
  TaskGroup group(co_await current_scope());
  std::optional<Storable<A>> a;
  std::optional<Storable<B>> b;
  std::size_t winner = race_detail::kNobody;
  group.spawn(race_detail::run_lane(std::move(first), 0, a, winner, group));
  group.spawn(race_detail::run_lane(std::move(second), 1, b, winner, group));
  co_await group.join();
  co_return RacePair<A, B>{winner == 0, std::move(*a), std::move(*b)};
}

// Requires: at least one task.
template <typename T>
Task<RaceResults<T>> race(std::vector<Task<T>> tasks) {
  STINT_ASSERT(!tasks.empty());
  TaskGroup group(co_await current_scope());
  std::vector<std::optional<Storable<T>>> results(tasks.size());
  std::size_t winner = race_detail::kNobody;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    group.spawn(race_detail::run_lane(std::move(tasks[i]), i, results[i], winner, group));
  }
  co_await group.join();
  RaceResults<T> outcome{winner, {}};
  outcome.results.reserve(results.size());
  for (auto& result : results) outcome.results.push_back(std::move(*result));
  co_return outcome;
}

}  // namespace stint::net
