#include "tokenizer/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// Printable Latin-1 stands for itself; the other 68 bytes take U+0100, U+0101, ... in order (openai/gpt-2, encoder.py).
constexpr std::uint32_t kCodePointCount = 0x100 + 68;

constexpr bool is_printable(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<std::uint16_t, 256> code_point_of_byte{};
  std::array<std::int16_t, kCodePointCount> byte_of_code_point{};
};

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  alphabet.byte_of_code_point.fill(-1);
  std::uint32_t next = 0x100;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const std::uint32_t code_point = is_printable(byte) ? byte : next++;
    alphabet.code_point_of_byte[byte] = static_cast<std::uint16_t>(code_point);
    alphabet.byte_of_code_point[code_point] = static_cast<std::int16_t>(byte);
  }
  return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

}  // namespace

std::optional<std::string> bytes_of_alphabet(std::string_view spelled) {
  std::string bytes;
  bytes.reserve(spelled.size());
  for (std::size_t position = 0; position < spelled.size();) {
    const Character character = read_character(spelled, position);
    if (character.code_point >= kCodePointCount) return std::nullopt;
    const std::int16_t byte = kAlphabet.byte_of_code_point[character.code_point];
    if (byte < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte));
    position += character.size;
  }
  return bytes;
}

std::string alphabet_of_bytes(std::string_view bytes) {
  std::string spelled;
  for (const char byte : bytes) append_utf8(kAlphabet.code_point_of_byte[static_cast<unsigned char>(byte)], spelled);
  return spelled;
}

}  // namespace stint::tokenizer
