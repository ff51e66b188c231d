#include "platform/config/scalars.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace stint::config {

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// Ascending; the formatters pick the last one that divides the value.
constexpr std::array<Unit, 5> kTimeUnits{{{"ms", 1'000'000},
                                          {"s", 1'000'000'000},
                                          {"m", 60'000'000'000},
                                          {"h", 3'600'000'000'000},
                                          {"d", 86'400'000'000'000}}};
constexpr std::array<Unit, 7> kSizeUnits{{{"B", 1},
                                          {"kB", 1'000},
                                          {"KiB", 1'024},
                                          {"MB", 1'000'000},
                                          {"MiB", 1'048'576},
                                          {"GB", 1'000'000'000},
                                          {"GiB", 1'073'741'824}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The whole of `text` as a decimal number; nullopt for anything else, `010` and overflow included.
std::optional<std::uint64_t> digits(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// `0`, or digits and the name of a unit; nullopt for anything else.
std::optional<std::uint64_t> quantity(std::string_view text, std::span<const Unit> units) {
  if (text == "0") return 0;
  std::size_t split = 0;
  while (split < text.size() && is_digit(text[split])) ++split;
  const std::optional<std::uint64_t> count = digits(text.substr(0, split));
  if (!count) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name != text.substr(split)) continue;
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(*count, unit.factor, &product)) return std::nullopt;
    return product;
  }
  return std::nullopt;
}

std::string format_quantity(std::uint64_t value, std::span<const Unit> units) {
  if (value == 0) return "0";
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    if (value % unit->factor == 0) return fmt::format("{}{}", value / unit->factor, unit->name);
  }
  return fmt::format("{}{}", value / units.front().factor, units.front().name);
}

}  // namespace

Parsed<bool> parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::unexpected("must be true or false");
}

Parsed<std::uint64_t> parse_whole_number(std::string_view text, std::uint64_t min, std::uint64_t max) {
  const std::optional<std::uint64_t> value = digits(text);
  if (value && *value >= min && *value <= max) return *value;
  return std::unexpected(fmt::format("must be a whole number from {} to {}", min, max));
}

Parsed<double> parse_ratio(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool whole = !text.empty() && is_digit(text[0]) && status == std::errc{} && end == text.data() + text.size();
  if (percent) value /= 100;
  if (whole && value >= 0 && value <= 1) return value;
  return std::unexpected("must be a share such as 0.25 or 25%, from 0 to 1");
}

Parsed<base::Duration> parse_duration(std::string_view text, base::Duration min, base::Duration max) {
  const std::optional<std::uint64_t> value = quantity(text, kTimeUnits);
  if (value && *value <= static_cast<std::uint64_t>(base::Duration::max().count())) {
    const base::Duration duration(static_cast<std::int64_t>(*value));
    if (duration >= min && duration <= max) return duration;
  }
  return std::unexpected(fmt::format("must be a duration such as 250ms, 30s, 5m, 2h or 7d, from {} to {}",
                                     format_duration(min), format_duration(max)));
}

Parsed<std::uint64_t> parse_byte_size(std::string_view text, std::uint64_t min, std::uint64_t max) {
  const std::optional<std::uint64_t> value = quantity(text, kSizeUnits);
  if (value && *value >= min && *value <= max) return *value;
  const std::string limit = max == UINT64_MAX
                                ? fmt::format("of at least {}", format_byte_size(min))
                                : fmt::format("from {} to {}", format_byte_size(min), format_byte_size(max));
  return std::unexpected(fmt::format("must be a size such as 512KiB, 256MB or 2GiB, {}", limit));
}

std::string format_duration(base::Duration value) {
  return format_quantity(static_cast<std::uint64_t>(value.count()), kTimeUnits);
}

std::string format_byte_size(std::uint64_t value) {
  return format_quantity(value, kSizeUnits);
}

}  // namespace stint::config
