// SentencePiece spells a space as U+2581. Our tables hold the plain space instead, so that ordinary text needs no copy;
// a text that contains U+2581 itself means a space by it. Pure functions: thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace stint::tokenizer {

inline constexpr std::string_view kSentencePieceSpace = "\xE2\x96\x81";

inline std::string with_plain_spaces(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t found = 0; (found = text.find(kSentencePieceSpace)) != std::string_view::npos;) {
    plain.append(text.substr(0, found)).push_back(' ');
    text.remove_prefix(found + kSentencePieceSpace.size());
  }
  return plain.append(text);
}

}  // namespace stint::tokenizer
