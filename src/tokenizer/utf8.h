// UTF-8 reading for untrusted bytes (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF).
// Pure functions over borrowed bytes: thread-safe, no state, O(1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stint::tokenizer {

// A byte that starts no valid character; larger than every code point.
inline constexpr std::uint32_t kInvalidCodePoint = 0x110000;
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

struct Character {
  std::uint32_t code_point;  // kInvalidCodePoint: `size` bytes are no character
  std::uint32_t size;        // bytes; for invalid input the maximal subpart (Unicode 16, table 3-8), at least 1
  bool incomplete = false;   // invalid only because the text ends inside the character
};

// Bytes a character with this first byte has; 0 for bytes that start none.
inline std::uint32_t character_size(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

// The character at `position`. Requires position < text.size().
inline Character read_character(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  // The bulk of text outside ASCII: three bytes (two thirds of them CJK) and two, whole and well-formed.
  if (lead >= 0xE1 && lead < 0xED && position + 2 < text.size() && (byte(1) & 0xC0) == 0x80 &&
      (byte(2) & 0xC0) == 0x80) {
    return {(lead & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu), 3};
  }
  if (lead >= 0xC2 && lead < 0xE0 && position + 1 < text.size() && (byte(1) & 0xC0) == 0x80) {
    return {(lead & 0x1Fu) << 6 | (byte(1) & 0x3Fu), 2};
  }
  const std::uint32_t size = character_size(lead);
  if (size == 0) return {kInvalidCodePoint, 1};
  // The second byte's range rules out overlong forms, surrogates and values above U+10FFFF.
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  std::uint32_t code_point = lead & (0x7Fu >> size);
  for (std::uint32_t i = 1; i < size; ++i) {
    if (position + i >= text.size()) return {kInvalidCodePoint, i, true};
    const unsigned char next = byte(i);
    if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xBF)) return {kInvalidCodePoint, i};
    code_point = code_point << 6 | (next & 0x3Fu);
  }
  return {code_point, size};
}

inline bool is_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const Character character = read_character(text, position);
    if (character.code_point == kInvalidCodePoint) return false;
    position += character.size;
  }
  return true;
}

// Bytes at the end of `text` that may yet become a character: 0 to 3.
inline std::size_t incomplete_suffix_size(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const unsigned char byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    if (byte < 0x80) return 0;
    const Character character = read_character(text, text.size() - back);
    return character.incomplete && character.size == back ? back : 0;
  }
  return 0;
}

inline void append_utf8(std::uint32_t code_point, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | code_point >> 12);
    } else {
      put(0xF0 | code_point >> 18);
      put(0x80 | (code_point >> 12 & 0x3F));
    }
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

}  // namespace stint::tokenizer
