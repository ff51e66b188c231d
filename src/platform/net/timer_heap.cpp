#include "platform/net/timer_heap.h"

#include "platform/base/assert.h"

namespace stint::net {

bool TimerHeap::before(const TimerNode& a, const TimerNode& b) {
  return a.at_ != b.at_ ? a.at_ < b.at_ : a.order_ < b.order_;
}

void TimerHeap::place(std::size_t index, TimerNode* node) {
  nodes_[index] = node;
  node->index_ = index;
}

void TimerHeap::arm(TimerNode& node, base::Deadline deadline) {
  STINT_ASSERT(!node.armed() && deadline.at != base::TimePoint::max());
  node.at_ = deadline.at;
  node.order_ = next_order_++;
  nodes_.push_back(&node);
  node.index_ = nodes_.size() - 1;
  sift_up(node.index_);
}

void TimerHeap::disarm(TimerNode& node) {
  if (!node.armed()) return;
  const std::size_t index = node.index_;
  node.index_ = TimerNode::kUnarmed;
  TimerNode* const last = nodes_.back();
  nodes_.pop_back();
  if (last == &node) return;
  place(index, last);
  sift_up(index);
  sift_down(last->index_);
}

TimerNode* TimerHeap::pop_due(base::TimePoint now) {
  if (nodes_.empty() || nodes_.front()->at_ > now) return nullptr;
  TimerNode* const node = nodes_.front();
  disarm(*node);
  return node;
}

std::optional<base::TimePoint> TimerHeap::earliest() const {
  if (nodes_.empty()) return std::nullopt;
  return nodes_.front()->at_;
}

void TimerHeap::sift_up(std::size_t index) {
  TimerNode* const node = nodes_[index];
  while (index > 0) {
    const std::size_t parent = (index - 1) / 2;
    if (!before(*node, *nodes_[parent])) break;
    place(index, nodes_[parent]);
    index = parent;
  }
  place(index, node);
}

void TimerHeap::sift_down(std::size_t index) {
  TimerNode* const node = nodes_[index];
  for (;;) {
    std::size_t child = 2 * index + 1;
    if (child >= nodes_.size()) break;
    if (child + 1 < nodes_.size() && before(*nodes_[child + 1], *nodes_[child])) ++child;
    if (!before(*nodes_[child], *node)) break;
    place(index, nodes_[child]);
    index = child;
  }
  place(index, node);
}

}  // namespace stint::net
