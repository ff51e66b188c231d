#include "tokenizer/safe_boundary.h"

#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// Invalid bytes are characters of their own, one byte each, different from every code point.
Character read_or_byte(std::string_view text, std::size_t position) {
  const Character character = read_character(text, position);
  if (character.code_point != kInvalidCodePoint) return character;
  return {kInvalidCodePoint + static_cast<unsigned char>(text[position]), 1};
}

}  // namespace

SafeBoundary::SafeBoundary(const TokenTable& tokens) : joined_((std::size_t{1} << kBitCountLog2) / 64) {
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (!tokens.is_mergeable(token)) continue;
    const std::string_view bytes = tokens.bytes(token);
    Character left = read_or_byte(bytes, 0);
    for (std::size_t position = left.size; position < bytes.size(); position += left.size) {
      const Character right = read_or_byte(bytes, position);
      const std::uint32_t bit = hash(left.code_point, right.code_point);
      joined_[bit / 64] |= std::uint64_t{1} << (bit % 64);
      left = right;
    }
  }
}

std::size_t SafeBoundary::piece_end(std::string_view text, std::size_t begin) const {
  Character left = read_or_byte(text, begin);
  std::size_t end = begin + left.size;
  while (end < text.size()) {
    const Character right = read_or_byte(text, end);
    if (!may_join(left.code_point, right.code_point)) break;
    end += right.size;
    left = right;
  }
  return end;
}

}  // namespace stint::tokenizer
