#include "platform/json/scan.h"

namespace stint::json {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Size of the escape at the start of `rest` (on its backslash), 0 if it is none.
std::size_t escape_size(std::string_view rest) {
  if (rest.size() < 2) return 0;
  if (rest[1] != 'u') return std::string_view("\"\\/bfnrt").contains(rest[1]) ? 2 : 0;
  if (rest.size() < 6) return 0;
  for (std::size_t i = 2; i < 6; ++i) {
    if (!is_hex_digit(rest[i])) return 0;
  }
  return 6;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

}  // namespace

StringScan scan_string(std::string_view text, std::size_t begin) {
  StringScan scan;
  std::size_t at = begin + 1;
  while (true) {
    at += plain_run_size(text.substr(at));
    scan.end = at;
    if (at == text.size()) return scan;
    if (text[at] == '"') {
      scan.end = at + 1;
      scan.valid = true;
      return scan;
    }
    if (text[at] != '\\') return scan;
    const std::size_t size = escape_size(text.substr(at));
    if (size == 0) return scan;
    scan.escaped = true;
    at += size;
  }
}

std::size_t scan_number(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  if (at < text.size() && text[at] == '-') ++at;
  if (at == text.size() || !is_digit(text[at])) return begin;
  at = text[at] == '0' ? at + 1 : skip_digits(text, at);
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_digits(text, at + 1);
    if (end == at + 1) return begin;
    at = end;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    const std::size_t end = skip_digits(text, digits);
    if (end == digits) return begin;
    at = end;
  }
  return at;
}

}  // namespace stint::json
