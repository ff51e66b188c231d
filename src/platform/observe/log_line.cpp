#include "platform/observe/log_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "platform/base/utf8.h"
#include "platform/observe/redact.h"

namespace stint::observe {

namespace {

std::string timestamp(std::int64_t unix_seconds) {
  const std::time_t seconds = unix_seconds;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", parts);
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// The inside of a JSON string; the text form uses the same, so that a quoted value reads alike in both.
void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = base::utf8_sequence_size(text);
    const char c = text[0];
    if (size == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (is_control(c)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(1, size));
  }
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text);
  out += '"';
}

// Bare words need no quotes in the text form.
bool is_bare(std::string_view text) {
  const auto is_bare_letter = [](char c) { return c > ' ' && c < 0x7F && c != '"' && c != '=' && c != '\\'; };
  return !text.empty() && std::ranges::all_of(text, is_bare_letter);
}

std::string shown(const LogField& field, std::string_view text) {
  if (names_credential(field.key)) return "[redacted]";
  if (text.size() <= kLogValueSizeMax) return mask_credentials(text);
  // Masked before it is cut, so that no half of a credential escapes its mask; only the size is bounded.
  std::string cut = mask_credentials(text.substr(0, 2 * kLogValueSizeMax));
  std::size_t size = std::min(cut.size(), kLogValueSizeMax);
  while (size > 0 && (static_cast<unsigned char>(cut[size - 1]) & 0xC0u) == 0x80u) --size;
  if (size > 0 && (static_cast<unsigned char>(cut[size - 1]) & 0x80u) != 0) --size;
  cut.resize(size);
  return cut + "...";
}

void append_number(std::string& out, LogFormat format, double value) {
  // JSON has no word for these.
  if (format == LogFormat::json && !std::isfinite(value)) {
    out += "null";
  } else {
    out += fmt::format("{}", value);
  }
}

void append_value(std::string& out, LogFormat format, const LogField& field) {
  if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    const std::string value = shown(field, *text);
    if (format == LogFormat::text && is_bare(value)) {
      out += value;
    } else {
      append_quoted(out, value);
    }
  } else if (const auto* flag = std::get_if<bool>(&field.value)) {
    out += *flag ? "true" : "false";
  } else if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
    out += fmt::format("{}", *integer);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&field.value)) {
    out += fmt::format("{}", *natural);
  } else {
    append_number(out, format, std::get<double>(field.value));
  }
}

}  // namespace

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
    case LogLevel::off:
      return "off";
  }
  return "unknown";
}

std::string log_line(LogFormat format, std::int64_t unix_seconds, LogLevel level, std::string_view event,
                     std::span<const LogField> fields) {
  const bool is_json = format == LogFormat::json;
  std::string out =
      is_json ? fmt::format(R"({{"time":"{}","level":"{}","event":)", timestamp(unix_seconds), to_string(level))
              : fmt::format("{} {} ", timestamp(unix_seconds), to_string(level));
  if (is_json) {
    append_quoted(out, event);
  } else {
    append_escaped(out, event);
  }
  for (const LogField& field : fields.first(std::min(fields.size(), kLogFieldCountMax))) {
    if (is_json) {
      out += ',';
      append_quoted(out, field.key);
      out += ':';
    } else {
      out += ' ';
      append_escaped(out, field.key);
      out += '=';
    }
    append_value(out, format, field);
  }
  if (is_json) out += '}';
  return out;
}

}  // namespace stint::observe
