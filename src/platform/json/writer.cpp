#include "platform/json/writer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>

#include "platform/base/assert.h"
#include "platform/base/utf8.h"
#include "platform/json/scan.h"

namespace stint::json {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

// `text` with one U+FFFD for every byte that belongs to no valid character.
std::string repair_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size() + 16);
  while (!text.empty()) {
    const std::size_t size = base::utf8_sequence_size(text);
    repaired += size == 0 ? kReplacement : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return repaired;
}

template <typename Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  STINT_ASSERT(error == std::errc());
  out.append(digits, end);
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  std::string repaired;
  // Most strings written are keys and short pieces of ASCII, for which simdjson's dispatch would cost more than the
  // check.
  if (!is_ascii(text) && !simdjson::validate_utf8(text.data(), text.size())) {
    repaired = repair_utf8(text);
    text = repaired;
  }
  out += '"';
  while (true) {
    const std::size_t plain = plain_run_size(text);
    out += text.substr(0, plain);
    if (plain == text.size()) break;
    append_escape(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out += '"';
}

void Writer::separate() {
  if (after_key_) {
    after_key_ = false;
  } else if (depth_ > 0) {
    if (has_items_[depth_ - 1]) out_ += ',';
    has_items_[depth_ - 1] = true;
  }
}

Writer& Writer::open(char bracket) {
  separate();
  STINT_ASSERT(depth_ < base::kJsonDepthMax);
  has_items_[depth_] = false;
  ++depth_;
  out_ += bracket;
  return *this;
}

Writer& Writer::close(char bracket) {
  STINT_ASSERT(depth_ > 0 && !after_key_);
  --depth_;
  out_ += bracket;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  STINT_ASSERT(depth_ > 0 && !after_key_);
  separate();
  append_string(out_, name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  separate();
  append_string(out_, text);
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

Writer& Writer::number(float value) {
  if (!std::isfinite(value)) return null();
  separate();
  append_number(out_, value);
  return *this;
}

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  append_number(out_, value);
  return *this;
}

Writer& Writer::signed_integer(std::int64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

Writer& Writer::unsigned_integer(std::uint64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

}  // namespace stint::json
