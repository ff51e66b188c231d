#include "tokenizer/nfc.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/base/assert.h"
#include "tokenizer/unicode_classes.h"
#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// Invalid bytes join with nothing, so they are as good a boundary as a starter.
bool is_boundary(Character character) {
  return character.code_point == kInvalidCodePoint || (unicode_class(character.code_point) & kNfcUnsafe) == 0;
}

void append_decomposition(std::uint32_t code_point, std::vector<utf8proc_int32_t>& out) {
  utf8proc_int32_t parts[8];  // the longest canonical decomposition has 4 code points
  int boundary = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point), parts, 8,
                              static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE), &boundary);
  STINT_ASSERT(count >= 0 && count <= 8);
  out.insert(out.end(), parts, parts + count);
}

int combining_class(utf8proc_int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// Canonical ordering, stable. utf8proc's own is an exchange sort, quadratic in a run of marks that somebody may send
// us. The key is class, place, code point in 8 + 32 + 24 bits, so that an unstable sort will do.
void sort_marks(std::vector<utf8proc_int32_t>::iterator begin, std::vector<utf8proc_int32_t>::iterator end) {
  std::vector<std::uint64_t> keys;
  std::uint64_t place = 0;
  for (auto mark = begin; mark != end; ++mark) {
    keys.push_back(static_cast<std::uint64_t>(combining_class(*mark)) << 56 | place++ << 24 |
                   static_cast<std::uint64_t>(*mark));
  }
  std::sort(keys.begin(), keys.end());
  for (const std::uint64_t key : keys) *begin++ = static_cast<utf8proc_int32_t>(key & 0xFFFFFF);
}

void sort_all_marks(std::vector<utf8proc_int32_t>& text) {
  for (auto begin = text.begin(); begin != text.end();) {
    const auto end = std::find_if(begin, text.end(), [](utf8proc_int32_t c) { return combining_class(c) == 0; });
    if (end - begin > 1) sort_marks(begin, end);
    begin = end == text.end() ? end : end + 1;
  }
}

// Valid UTF-8 only.
void append_composed(std::string_view text, std::vector<utf8proc_int32_t>& buffer, std::string& out) {
  buffer.clear();
  for (std::size_t position = 0; position < text.size();) {
    const Character character = read_character(text, position);
    append_decomposition(character.code_point, buffer);
    position += character.size;
  }
  sort_all_marks(buffer);
  const utf8proc_ssize_t count =
      utf8proc_normalize_utf32(buffer.data(), static_cast<utf8proc_ssize_t>(buffer.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  STINT_ASSERT(count >= 0);
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    append_utf8(static_cast<std::uint32_t>(buffer[static_cast<std::size_t>(i)]), out);
  }
}

}  // namespace

bool is_nfc_safe(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    if (static_cast<unsigned char>(text[position]) < 0xCC) {  // below U+0300 every character is safe, invalid bytes too
      ++position;
      continue;
    }
    const Character character = read_character(text, position);
    if (!is_boundary(character)) return false;
    position += character.size;
  }
  return true;
}

void append_nfc(std::string_view text, std::string& out) {
  std::vector<utf8proc_int32_t> buffer;
  std::size_t chunk = 0;  // start of the last boundary character; nothing before it changes any more
  bool chunk_safe = true;
  const auto flush = [&](std::size_t end) {
    if (chunk_safe) {
      out.append(text.substr(chunk, end - chunk));
    } else {
      append_composed(text.substr(chunk, end - chunk), buffer, out);
    }
    chunk = end;
  };
  bool previous_invalid = true;
  for (std::size_t position = 0; position < text.size();) {
    const Character character = read_character(text, position);
    const bool invalid = character.code_point == kInvalidCodePoint;
    const bool boundary = is_boundary(character);
    if (boundary || previous_invalid) {
      flush(position);
      chunk_safe = true;
    }
    chunk_safe &= boundary;
    previous_invalid = invalid;
    position += character.size;
  }
  flush(text.size());
}

std::size_t nfc_stable_size(std::string_view text) {
  // Backwards over continuation bytes: read_character agrees with a forward pass at every byte that can lead a
  // character.
  for (std::size_t position = text.size(); position-- > 0;) {
    if ((static_cast<unsigned char>(text[position]) & 0xC0) == 0x80) continue;
    const Character character = read_character(text, position);
    if (!character.incomplete && is_boundary(character)) return position;
  }
  return 0;
}

}  // namespace stint::tokenizer
