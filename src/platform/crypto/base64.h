// Base64 with the standard alphabet and padding (RFC 4648 section 4). Pure; thread-safe; linear.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"

namespace stint::crypto {

std::string base64_encode(std::span<const std::uint8_t> bytes);

// Strict: no white space, no missing padding, no stray bits in the last letter (one text per value).
// Errors: invalid_request, naming the offset.
Result<std::vector<std::uint8_t>> base64_decode(std::string_view text);

}  // namespace stint::crypto
