#include "engine/sample/stop_matcher.h"

#include "platform/base/assert.h"

namespace stint::sample {

StopMatcher::StopMatcher(std::span<const std::string> stop_strings) : nodes_(1) {
  for (const std::string& stop : stop_strings) insert(stop);
  link();
}

std::optional<std::size_t> StopMatcher::append(std::string_view part, std::string& out) {
  if (nodes_.size() == 1) {
    out.append(part);
    return std::nullopt;
  }
  for (const char byte : part) {
    held_.push_back(byte);
    state_ = step(state_, byte);
    const std::uint32_t stop = nodes_[state_].stop;
    if (stop == kNone) continue;
    out.append(held_, 0, held_.size() - stop_sizes_[stop]);
    held_.clear();
    return stop;
  }
  const std::size_t certain = held_.size() - nodes_[state_].depth;
  out.append(held_, 0, certain);
  held_.erase(0, certain);
  return std::nullopt;
}

void StopMatcher::finish(std::string& out) {
  out += held_;
  held_.clear();
  state_ = 0;
}

void StopMatcher::insert(std::string_view text) {
  STINT_ASSERT(!text.empty());
  std::uint32_t node = 0;
  for (const char byte : text) {
    std::uint32_t next = child(node, byte);
    if (next == kNone) {
      next = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({kNone, nodes_[node].first_child, 0, nodes_[node].depth + 1, kNone, byte});
      nodes_[node].first_child = next;
    }
    node = next;
  }
  if (nodes_[node].stop == kNone) nodes_[node].stop = static_cast<std::uint32_t>(stop_sizes_.size());
  stop_sizes_.push_back(text.size());
}

// Breadth first, so that a node's fallback, which is shorter, is complete before the node is.
void StopMatcher::link() {
  std::vector<std::uint32_t> order{0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t node = order[i];
    for (std::uint32_t next = nodes_[node].first_child; next != kNone; next = nodes_[next].next_sibling) {
      nodes_[next].fallback = node == 0 ? 0 : step(nodes_[node].fallback, nodes_[next].byte);
      if (nodes_[next].stop == kNone) nodes_[next].stop = nodes_[nodes_[next].fallback].stop;
      order.push_back(next);
    }
  }
}

std::uint32_t StopMatcher::child(std::uint32_t node, char byte) const {
  std::uint32_t next = nodes_[node].first_child;
  while (next != kNone && nodes_[next].byte != byte) next = nodes_[next].next_sibling;
  return next;
}

std::uint32_t StopMatcher::step(std::uint32_t node, char byte) const {
  while (true) {
    const std::uint32_t next = child(node, byte);
    if (next != kNone) return next;
    if (node == 0) return 0;
    node = nodes_[node].fallback;
  }
}

}  // namespace stint::sample
