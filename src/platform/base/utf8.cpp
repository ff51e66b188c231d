#include "platform/base/utf8.h"

#include <cstdint>

namespace stint::base {

namespace {

struct Lead {
  std::size_t size;
  std::uint8_t second_min;  // bounds of the second byte: RFC 3629 section 4, they exclude overlong forms and surrogates
  std::uint8_t second_max;
};

Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

std::size_t utf8_sequence_size(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const Lead lead = lead_of(static_cast<std::uint8_t>(bytes[0]));
  if (lead.size < 2) return lead.size;
  if (bytes.size() < lead.size) return 0;
  const auto second = static_cast<std::uint8_t>(bytes[1]);
  if (second < lead.second_min || second > lead.second_max) return 0;
  for (std::size_t i = 2; i < lead.size; ++i) {
    if ((static_cast<std::uint8_t>(bytes[i]) & 0xC0u) != 0x80u) return 0;
  }
  return lead.size;
}

std::size_t utf8_valid_size(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t size = utf8_sequence_size(bytes.substr(at));
    if (size == 0) break;
    at += size;
  }
  return at;
}

}  // namespace stint::base
