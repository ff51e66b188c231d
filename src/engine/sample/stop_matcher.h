// StopMatcher: watches a text that arrives in parts for the first of several stop strings (Aho and Corasick, 1975).
// Text that could still begin a stop string is held back; no byte of a found one is ever given out. The first found is
// the one that ends first, of those that end together the longest, so that the result does not depend on how the text
// is cut into parts. One per sequence, not thread-safe; owns its automaton. Cost: linear in the text. Limits: those of
// base/limits.h for count and size of stop strings, checked by the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stint::sample {

class StopMatcher {
 public:
  // Requires that no stop string is empty.
  explicit StopMatcher(std::span<const std::string> stop_strings);

  // Appends to `out` the text that is certain not to belong to a stop string. Once a stop string is found its index is
  // returned, `out` ends just before it, and nothing may be appended any more.
  std::optional<std::size_t> append(std::string_view part, std::string& out);
  // The end of the text: what was held back is text after all.
  void finish(std::string& out);

  // Bytes held back.
  std::size_t held_size() const { return held_.size(); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // A prefix of one or more stop strings. Children form a list: there are at most as many as stop strings.
  struct Node {
    std::uint32_t first_child = kNone;
    std::uint32_t next_sibling = kNone;
    std::uint32_t fallback = 0;  // the longest proper suffix that is a node
    std::uint32_t depth = 0;
    std::uint32_t stop = kNone;  // index of the longest stop string that is a suffix of this prefix
    char byte = 0;
  };

  void insert(std::string_view text);
  void link();
  std::uint32_t child(std::uint32_t node, char byte) const;
  std::uint32_t step(std::uint32_t node, char byte) const;

  std::vector<Node> nodes_;
  std::vector<std::size_t> stop_sizes_;
  std::uint32_t state_ = 0;
  std::string held_;  // between calls exactly the prefix of a stop string that state_ stands for
};

}  // namespace stint::sample
