// One log record as one line of text. Pure; thread-safe. Whatever the values hold, the result has no line break and no
// control character, is valid UTF-8 where JSON demands it, carries no credential (redact.h), and is bounded in size.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace stint::observe {

inline constexpr std::size_t kLogValueSizeMax = 1024;  // longer strings are cut and end in "..."
inline constexpr std::size_t kLogFieldCountMax = 32;   // later fields are dropped

enum class LogLevel : std::uint8_t { debug, info, warning, error, off };
enum class LogFormat : std::uint8_t { text, json };

std::string_view to_string(LogLevel level);

// A key and a value; both borrowed until the line is written. Keys are literals of ours: snake_case, units last.
struct LogField {
  using Value = std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool>;
  std::string_view key;
  Value value;

  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  LogField(std::string_view k, const char* v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, const std::string& v) : key(k), value(std::string_view(v)) {}
  LogField(std::string_view k, bool v) : key(k), value(v) {}
  LogField(std::string_view k, std::floating_point auto v) : key(k), value(static_cast<double>(v)) {}
  LogField(std::string_view k, std::signed_integral auto v) : key(k), value(static_cast<std::int64_t>(v)) {}
  LogField(std::string_view k, std::unsigned_integral auto v) : key(k), value(static_cast<std::uint64_t>(v)) {}
};

// text: `2026-11-30T17:18:37Z info listening addr=127.0.0.1:4000`; json: {"time":...,"level":...,"event":...,fields}.
// No line break at the end.
std::string log_line(LogFormat format, std::int64_t unix_seconds, LogLevel level, std::string_view event,
                     std::span<const LogField> fields);

}  // namespace stint::observe
