// The "did you mean" of error messages. Pure; thread-safe. Names above 64 letters are never near; cost is the product
// of the two lengths per candidate.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace stint::config {

// The candidate with the fewest edits (insertion, deletion, replacement, swap of neighbours; case is free) from `name`,
// the first in order among equals; empty if none is within a third of the name's length (at least one edit).
std::string_view nearest_name(std::string_view name, const std::set<std::string, std::less<>>& candidates);

}  // namespace stint::config
