// Unescaping of JSON strings that a Document has already validated. Pure; thread-safe; linear. The result is owned by
// the caller and never longer than what went in. Requires everywhere: valid JSON escapes.
#pragma once

#include <string>
#include <string_view>

namespace stint::json {

// The characters of a string's inside (without quotes), as UTF-8. A surrogate without its partner becomes U+FFFD.
std::string unescape(std::string_view quoted);

}  // namespace stint::json
