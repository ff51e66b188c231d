#include "platform/crypto/base64.h"

#include <fmt/format.h>

#include <array>

namespace stint::crypto {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNotALetter = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNotALetter);
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    values[static_cast<std::uint8_t>(kLetters[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint8_t value_of(char letter) {
  return kValues[static_cast<std::uint8_t>(letter)];
}

}  // namespace

std::string base64_encode(std::span<const std::uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t out = 0;
  const auto put = [&](std::uint32_t bits) { text[out++] = kLetters[bits & 63u]; };
  std::size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) {
    const std::uint32_t group = std::uint32_t{bytes[at]} << 16 | std::uint32_t{bytes[at + 1]} << 8 | bytes[at + 2];
    put(group >> 18);
    put(group >> 12);
    put(group >> 6);
    put(group);
  }
  const std::size_t rest = bytes.size() - at;
  if (rest == 0) return text;
  const std::uint32_t group = std::uint32_t{bytes[at]} << 16 | (rest == 2 ? std::uint32_t{bytes[at + 1]} << 8 : 0);
  put(group >> 18);
  put(group >> 12);
  if (rest == 2) put(group >> 6);
  return text;
}

Result<std::vector<std::uint8_t>> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) {
    return fail(ErrorKind::invalid_request,
                fmt::format("base64 text of {} letters is not a whole number of groups of four", text.size()));
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t letter_count = text.size() - padding;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  unsigned bit_count = 0;
  for (std::size_t at = 0; at < letter_count; ++at) {
    const std::uint8_t value = value_of(text[at]);
    if (value == kNotALetter) {
      return fail(ErrorKind::invalid_request, fmt::format("base64 text has a foreign letter at offset {}", at));
    }
    bits = (bits << 6 | value) & 0xFFFFu;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> bit_count));
  }
  if ((bits & ((1u << bit_count) - 1)) != 0) {
    return fail(ErrorKind::invalid_request,
                fmt::format("base64 text has stray bits in its last letter, at offset {}", letter_count - 1));
  }
  return bytes;
}

}  // namespace stint::crypto
