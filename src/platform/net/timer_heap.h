// TimerHeap: all deadlines of one loop, an indexed binary heap of nodes that live in their owners. Arming and disarming
// cost O(log n); a disarmed node leaves at once, so the heap is never larger than the number of suspended awaits. Not
// thread-safe; owns nothing. Deadline::never() is not stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "platform/base/clock.h"

namespace stint::net {

class TimerNode {
 public:
  TimerNode() = default;
  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;
  bool armed() const { return index_ != kUnarmed; }

 private:
  friend class TimerHeap;
  static constexpr std::size_t kUnarmed = std::numeric_limits<std::size_t>::max();

  base::TimePoint at_{};
  std::uint64_t order_ = 0;  // nodes of the same instant leave in the order they were armed
  std::size_t index_ = kUnarmed;
};

class TimerHeap {
 public:
  // Requires: node is not armed and deadline is not never().
  void arm(TimerNode& node, base::Deadline deadline);
  // Does nothing if the node is not armed.
  void disarm(TimerNode& node);
  // Takes out the earliest node whose time has come; nullptr if there is none.
  TimerNode* pop_due(base::TimePoint now);
  std::optional<base::TimePoint> earliest() const;
  std::size_t size() const { return nodes_.size(); }

 private:
  static bool before(const TimerNode& a, const TimerNode& b);
  void place(std::size_t index, TimerNode* node);
  void sift_up(std::size_t index);
  void sift_down(std::size_t index);

  std::vector<TimerNode*> nodes_;
  std::uint64_t next_order_ = 0;
};

}  // namespace stint::net
