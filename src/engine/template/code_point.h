// Code points to UTF-8 and back, for escapes in string literals and JSON. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stint::chat_template {

// Requires code_point <= 0x10ffff.
void append_utf8(std::string& out, std::uint32_t code_point);
// Requires one well-formed sequence.
std::uint32_t decode_utf8(std::string_view sequence);

}  // namespace stint::chat_template
