// base64: RFC 4648, section 4, with padding. Pure; thread-safe; linear; the result is owned by the caller.
// Only encoding is needed: embeddings travel as base64 of little-endian floats when a client asks for it, which
// OpenAI's own clients do by default.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stint::api {

std::string base64_encode(std::string_view bytes);

// The floats' IEEE 754 bytes, little-endian on every machine.
std::string base64_encode_floats(std::span<const float> floats);

}  // namespace stint::api
