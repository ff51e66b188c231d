// UTF-8 checking (RFC 3629): which bytes may be shown, logged or sent as text. Pure; thread-safe; linear.
#pragma once

#include <cstddef>
#include <string_view>

namespace stint::base {

// Size in bytes (1..4) of the well-formed sequence at the start of `bytes`; 0 if there is none (empty input, a stray or
// overlong sequence, a surrogate, a value above U+10FFFF, or a sequence that is cut short).
std::size_t utf8_sequence_size(std::string_view bytes);

// Offset of the first byte that belongs to no well-formed sequence; bytes.size() if all do.
std::size_t utf8_valid_size(std::string_view bytes);

}  // namespace stint::base
