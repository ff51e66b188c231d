// What methods and filters do to texts, with the provenance of every byte kept. Letters change case in ASCII only:
// templates use it on roles and names. Free functions; new texts live in the Arena.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

// Without white space (Python's idea of it), or the characters of `characters` if given, at either end.
Text strip(const Text& text, const Text* characters, bool left, bool right);

Value to_upper(const Text& text, Arena& arena);
Value to_lower(const Text& text, Arena& arena);
// The first letter large, all others small.
Value capitalize(const Text& text, Arena& arena);
// The first letter of every word large, the others small. A word starts behind anything but a letter (str.title()), or
// behind white space and - ( { [ < only (the filter).
Value to_title(const Text& text, bool filter, Arena& arena);

inline constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

Value replace(const Text& text, const Text& from, const Text& to, std::int64_t count_max, Arena& arena);
// At every separator, at most count_max times; without separator, at runs of white space, empty parts left out.
Value split(const Text& text, const Text* separator, std::int64_t count_max, Arena& arena);
Value split_lines(const Text& text, bool keep_ends, Arena& arena);
// Other lines than the first (or all) moved right; empty ones only if asked for.
Value indent(const Text& text, const Text& prefix, bool first, bool blank, Arena& arena);

}  // namespace stint::chat_template
