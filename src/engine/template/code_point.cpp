#include "engine/template/code_point.h"

namespace stint::chat_template {

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto tail = [&](unsigned shift) { out.push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3f))); };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xc0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xe0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xf0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::uint32_t decode_utf8(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence.front());
  if (sequence.size() == 1) return first;
  std::uint32_t code_point = first & (0x7fU >> sequence.size());
  for (const char c : sequence.substr(1)) code_point = (code_point << 6) | (static_cast<unsigned char>(c) & 0x3f);
  return code_point;
}

}  // namespace stint::chat_template
