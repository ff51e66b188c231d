// Unicode normal form C for the tokenizers that ask for it (qwen2), with the cut points that make it incremental.
// Pure functions: thread-safe. O(n log n) in the longest run of combining marks, O(n) otherwise, whatever the input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stint::tokenizer {

// True if every character is a starter that composes with nothing before it; such text is its own NFC.
bool is_nfc_safe(std::string_view text);

// Appends the NFC of `text`. Invalid UTF-8 is copied, and nothing composes across it.
void append_nfc(std::string_view text, std::string& out);

// The largest p such that, whatever follows `text`, NFC(text + rest) = NFC(text[0, p)) + NFC(text[p, ...) + rest).
std::size_t nfc_stable_size(std::string_view text);

}  // namespace stint::tokenizer
