// Comparison of secrets. Pure; thread-safe.
#pragma once

#include <string_view>

namespace stint::crypto {

// True if both are the same bytes. The time taken depends on the size of `given` (which its sender knows) alone:
// neither the size of `expected` nor how much of it agrees can be measured.
bool constant_time_equal(std::string_view given, std::string_view expected);

}  // namespace stint::crypto
