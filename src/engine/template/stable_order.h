// stable_order: a merge sort that stays in bounds for any comparison, also one that contradicts itself (templates sort
// floats, and not-a-number is neither before nor behind anything). Pure; O(n log n).
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace stint::chat_template {

// The indexes 0 .. count - 1, sorted; before(a, b) compares two of them. Equal ones keep their order.
template <typename Before>
std::vector<std::size_t> stable_order(std::size_t count, Before before) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> merged(count);
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t start = 0; start < count; start += 2 * width) {
      const auto at = [&](std::size_t index) {
        return order.begin() + static_cast<std::ptrdiff_t>(std::min(index, count));
      };
      std::merge(at(start), at(start + width), at(start + width), at(start + 2 * width),
                 merged.begin() + static_cast<std::ptrdiff_t>(start), before);
    }
    std::swap(order, merged);
  }
  return order;
}

}  // namespace stint::chat_template
