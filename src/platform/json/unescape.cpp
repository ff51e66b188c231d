#include "platform/json/unescape.h"

#include <algorithm>
#include <cstdint>

#include "platform/base/assert.h"

namespace stint::json {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

void append_utf8(std::string& out, char32_t point) {
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | ((point >> shift) & 0x3F))); };
  if (point < 0x80) {
    out.push_back(static_cast<char>(point));
  } else if (point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (point >> 6)));
    tail(0);
  } else if (point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (point >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

char32_t hex_digit(char c) {
  if (c <= '9') return static_cast<char32_t>(c - '0');
  return static_cast<char32_t>((c | 0x20) - 'a' + 10);
}

// The four hex digits after `\u` at `at`.
char32_t code_unit(std::string_view quoted, std::size_t at) {
  char32_t unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) unit = unit << 4 | hex_digit(quoted[i]);
  return unit;
}

bool is_high_surrogate(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low_surrogate(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Appends the character of the `\u` escape at `at`, with its partner if it has one; returns where they end.
std::size_t append_code_point(std::string& out, std::string_view quoted, std::size_t at) {
  const char32_t unit = code_unit(quoted, at);
  at += 6;
  if (is_high_surrogate(unit) && quoted.substr(at).starts_with("\\u")) {
    if (const char32_t low = code_unit(quoted, at); is_low_surrogate(low)) {
      append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
      return at + 6;
    }
  }
  append_utf8(out, is_high_surrogate(unit) || is_low_surrogate(unit) ? kReplacement : unit);
  return at;
}

char simple_escape(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;  // quote, backslash, slash
  }
}

}  // namespace

std::string unescape(std::string_view quoted) {
  std::string out;
  out.reserve(quoted.size());
  std::size_t at = 0;
  while (at < quoted.size()) {
    const std::size_t backslash = std::min(quoted.find('\\', at), quoted.size());
    out.append(quoted, at, backslash - at);
    at = backslash;
    if (at == quoted.size()) break;
    STINT_ASSERT(at + 1 < quoted.size());
    if (quoted[at + 1] == 'u') {
      at = append_code_point(out, quoted, at);
    } else {
      out.push_back(simple_escape(quoted[at + 1]));
      at += 2;
    }
  }
  return out;
}

}  // namespace stint::json
