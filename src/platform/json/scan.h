// Scanning of JSON's two token kinds that have an inside: strings and numbers. Positions are byte offsets; nothing is
// allocated. Eight bytes at a time where the text allows. Inner header of platform/json.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace stint::json {

// Length of the longest prefix of `text` without '"', '\' and control bytes.
inline std::size_t plain_run_size(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    // A byte's high bit is set where the byte is zero (`x - 1` borrows), or below 0x20; bytes above 0x7f never are.
    const std::uint64_t quote = word ^ (kOnes * '"');
    const std::uint64_t backslash = word ^ (kOnes * '\\');
    const std::uint64_t found =
        ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) | ((word - kOnes * 0x20) & ~word);
    if (const std::uint64_t hits = found & kHighBits; hits != 0) {
      if constexpr (std::endian::native == std::endian::little) {
        // Borrows only travel upwards, so the lowest hit is exact.
        return at + static_cast<std::size_t>(std::countr_zero(hits)) / 8;
      }
      break;
    }
  }
  while (at < text.size() && text[at] != '"' && text[at] != '\\' && static_cast<unsigned char>(text[at]) >= 0x20) ++at;
  return at;
}

// True when no byte is above 0x7f.
inline bool is_ascii(std::string_view text) {
  std::uint64_t seen = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    seen |= word;
  }
  for (; at < text.size(); ++at) seen |= static_cast<unsigned char>(text[at]);
  return (seen & 0x8080808080808080) == 0;
}

struct StringScan {
  std::size_t end = 0;  // after the closing quote, or where the string breaks the grammar
  bool valid = false;
  bool escaped = false;  // holds a backslash
};

// `begin` stands on the opening quote.
StringScan scan_string(std::string_view text, std::size_t begin);

// The end of the number at `begin` by JSON's grammar, or `begin` when there is none.
std::size_t scan_number(std::string_view text, std::size_t begin);

}  // namespace stint::json
