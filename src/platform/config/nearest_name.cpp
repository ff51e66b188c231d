#include "platform/config/nearest_name.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stint::config {

namespace {

constexpr std::size_t kNameSizeMax = 64;

bool same_letter(char a, char b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b);
}

// Optimal string alignment distance (Damerau-Levenshtein without edits inside a swap); both at most kNameSizeMax
// letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kNameSizeMax + 1>;
  Row before_previous{};
  Row previous{};
  Row current{};
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_previous = previous;
    previous = current;
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
  }
  return current[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, const std::set<std::string, std::less<>>& candidates) {
  if (name.empty() || name.size() > kNameSizeMax) return {};
  std::string_view nearest;
  std::size_t distance_max = std::max<std::size_t>(1, name.size() / 3);
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kNameSizeMax) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > distance_max || (distance == distance_max && !nearest.empty())) continue;
    nearest = candidate;
    distance_max = distance;
  }
  return nearest;
}

}  // namespace stint::config
