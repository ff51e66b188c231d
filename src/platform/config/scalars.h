// Parsers of the values a setting can have, stricter than YAML's so that nothing means two things. Each returns the
// value or the demand that the text fails to meet, worded to follow the key's path: "must be true or false". Pure;
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "platform/base/clock.h"

namespace stint::config {

template <typename T>
using Parsed = std::expected<T, std::string>;

Parsed<bool> parse_boolean(std::string_view text);

// Decimal digits, no sign, no leading zero, within [min, max].
Parsed<std::uint64_t> parse_whole_number(std::string_view text, std::uint64_t min, std::uint64_t max);

// `0.25` or `25%`, within [0, 1].
Parsed<double> parse_ratio(std::string_view text);

// `0`, or a whole number and one of ms s m h d, within [min, max].
Parsed<base::Duration> parse_duration(std::string_view text, base::Duration min, base::Duration max);

// `0`, or a whole number and one of B kB MB GB KiB MiB GiB, within [min, max] bytes.
Parsed<std::uint64_t> parse_byte_size(std::string_view text, std::uint64_t min, std::uint64_t max);

// The shortest text that parses back to the value; the value must be a whole number of milliseconds.
std::string format_duration(base::Duration value);
std::string format_byte_size(std::uint64_t value);

}  // namespace stint::config
