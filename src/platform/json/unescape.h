// Unescaping of JSON strings that a Document has already validated.
#pragma once

#include <string>
#include <string_view>

namespace stint::json {

// The characters of a string's inside (without quotes), as UTF-8. A surrogate without its partner becomes U+FFFD.
// Requires: valid JSON escapes. Never longer than `quoted`.
std::string unescape(std::string_view quoted);

}  // namespace stint::json
