// GPT-2's byte alphabet: byte-level vocabularies spell each byte as one printable character (0x20 is U+0120, and so
// on). Constant data: thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stint::tokenizer {

// The bytes that `spelled` stands for; nothing if a character is not of the alphabet.
std::optional<std::string> bytes_of_alphabet(std::string_view spelled);
// The spelling of `bytes`.
std::string alphabet_of_bytes(std::string_view bytes);

}  // namespace stint::tokenizer
