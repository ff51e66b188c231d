#include "platform/net/timer_heap.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "platform/base/random.h"

namespace stint::net {
namespace {

base::Deadline at(std::int64_t ns) {
  return {base::TimePoint(base::Duration(ns))};
}
base::TimePoint point(std::int64_t ns) {
  return at(ns).at;
}

TEST(TimerHeap, gives_due_nodes_in_order_of_time_then_of_arming) {
  TimerHeap heap;
  std::array<TimerNode, 4> nodes;
  heap.arm(nodes[0], at(30));
  heap.arm(nodes[1], at(10));
  heap.arm(nodes[2], at(10));
  heap.arm(nodes[3], at(20));
  EXPECT_EQ(heap.earliest(), point(10));
  EXPECT_EQ(heap.pop_due(point(9)), nullptr);
  EXPECT_EQ(heap.pop_due(point(20)), &nodes[1]);
  EXPECT_EQ(heap.pop_due(point(20)), &nodes[2]);
  EXPECT_EQ(heap.pop_due(point(20)), &nodes[3]);
  EXPECT_EQ(heap.pop_due(point(20)), nullptr);
  heap.disarm(nodes[0]);
  EXPECT_EQ(heap.earliest(), std::nullopt);
}

TEST(TimerHeap, agrees_with_a_sorted_map_under_random_arming_and_disarming) {
  base::Random random(11);
  TimerHeap heap;
  std::deque<TimerNode> nodes(200);
  std::map<std::int64_t, TimerNode*> expected;
  std::map<TimerNode*, std::int64_t> time_of;
  for (int round = 0; round < 20000; ++round) {
    TimerNode& node = nodes[random.below(nodes.size())];
    if (node.armed()) {
      heap.disarm(node);
      expected.erase(time_of[&node]);
    } else {
      std::int64_t time = 0;
      do time = static_cast<std::int64_t>(random.below(1'000'000));
      while (expected.contains(time));
      heap.arm(node, at(time));
      expected[time] = &node;
      time_of[&node] = time;
    }
    ASSERT_EQ(heap.size(), expected.size());
    if (!expected.empty()) ASSERT_EQ(heap.earliest(), point(expected.begin()->first));
  }
  for (const auto& [time, node] : expected) ASSERT_EQ(heap.pop_due(point(time)), node);
  EXPECT_EQ(heap.size(), 0u);
}

}  // namespace
}  // namespace stint::net
