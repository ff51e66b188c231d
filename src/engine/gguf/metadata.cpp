#include "engine/gguf/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/gguf/cursor.h"
#include "platform/base/assert.h"

namespace stint::gguf {
namespace {

struct TypeFacts {
  std::string_view name;
  std::size_t size;
};

// Indexed by ValueType.
constexpr std::array<TypeFacts, 13> kValueTypes{{{"u8", 1},
                                                 {"i8", 1},
                                                 {"u16", 2},
                                                 {"i16", 2},
                                                 {"u32", 4},
                                                 {"i32", 4},
                                                 {"f32", 4},
                                                 {"boolean", 1},
                                                 {"string", 0},
                                                 {"array", 0},
                                                 {"u64", 8},
                                                 {"i64", 8},
                                                 {"f64", 8}}};

template <typename T>
T take(Cursor& cursor) {
  T value{};
  const bool complete = cursor.read(value);
  STINT_ASSERT(complete);
  return value;
}

// The next scalar as i64; nullopt if it is no integer or does not fit.
std::optional<std::int64_t> take_integer(ValueType type, Cursor& cursor) {
  switch (type) {
    case ValueType::u8:
      return take<std::uint8_t>(cursor);
    case ValueType::i8:
      return take<std::int8_t>(cursor);
    case ValueType::u16:
      return take<std::uint16_t>(cursor);
    case ValueType::i16:
      return take<std::int16_t>(cursor);
    case ValueType::u32:
      return take<std::uint32_t>(cursor);
    case ValueType::i32:
      return take<std::int32_t>(cursor);
    case ValueType::i64:
      return take<std::int64_t>(cursor);
    case ValueType::u64: {
      const auto value = take<std::uint64_t>(cursor);
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
      return static_cast<std::int64_t>(value);
    }
    default:
      return std::nullopt;
  }
}

std::optional<double> take_float(ValueType type, Cursor& cursor) {
  if (type == ValueType::f32) return take<float>(cursor);
  if (type == ValueType::f64) return take<double>(cursor);
  return std::nullopt;
}

std::string describe(const Value& value) {
  if (value.type == ValueType::array) {
    return fmt::format("an array of {} {}", value.count, to_string(value.element_type));
  }
  return std::string(to_string(value.type));
}

}  // namespace

std::string_view to_string(ValueType type) {
  return kValueTypes[static_cast<std::size_t>(type)].name;
}

std::size_t scalar_size(ValueType type) {
  return kValueTypes[static_cast<std::size_t>(type)].size;
}

Metadata::Metadata(std::string file_name, std::vector<Value> values)
    : file_name_(std::move(file_name)), values_(std::move(values)) {
  STINT_ASSERT(std::ranges::is_sorted(values_, {}, &Value::key));
}

const Value* Metadata::find(std::string_view key) const {
  const auto found = std::ranges::lower_bound(values_, key, {}, &Value::key);
  return found == values_.end() || found->key != key ? nullptr : &*found;
}

Result<const Value*> Metadata::require(std::string_view key) const {
  if (const Value* value = find(key)) return value;
  return fail(ErrorKind::corrupt, fmt::format("{}: the metadata key {} is missing.", file_name_, key));
}

std::unexpected<Error> Metadata::wrong_type(const Value& value, std::string_view expected) const {
  return fail(ErrorKind::corrupt, fmt::format("{}: metadata key {} must be {}, but it is {}.", file_name_, value.key,
                                              expected, describe(value)));
}

Result<std::uint64_t> Metadata::unsigned_integer(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  Cursor cursor((*value)->bytes);
  const auto number = take_integer((*value)->type, cursor);
  if (!number || *number < 0) return wrong_type(**value, "an integer from 0 to 2^63 - 1");
  return static_cast<std::uint64_t>(*number);
}

Result<std::uint32_t> Metadata::u32(std::string_view key) const {
  const auto number = unsigned_integer(key);
  if (!number) return std::unexpected(number.error());
  if (*number > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorKind::corrupt,
                fmt::format("{}: metadata key {} is {}, more than 32 bits can hold.", file_name_, key, *number));
  }
  return static_cast<std::uint32_t>(*number);
}

Result<double> Metadata::number(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  Cursor cursor((*value)->bytes);
  if (const auto real = take_float((*value)->type, cursor)) {
    if (std::isfinite(*real)) return *real;
    return fail(ErrorKind::corrupt, fmt::format("{}: metadata key {} is not a finite number.", file_name_, key));
  }
  const auto integer = take_integer((*value)->type, cursor);
  if (!integer) return wrong_type(**value, "a number");
  return static_cast<double>(*integer);
}

Result<bool> Metadata::boolean(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::boolean) return wrong_type(**value, "a boolean");
  return (*value)->bytes[0] != std::byte{0};
}

Result<std::string_view> Metadata::string(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::string) return wrong_type(**value, "a string");
  return std::string_view(reinterpret_cast<const char*>((*value)->bytes.data()), (*value)->bytes.size());
}

Result<std::uint64_t> Metadata::unsigned_integer(std::string_view key, std::uint64_t fallback) const {
  return contains(key) ? unsigned_integer(key) : fallback;
}

Result<std::uint32_t> Metadata::u32(std::string_view key, std::uint32_t fallback) const {
  return contains(key) ? u32(key) : fallback;
}

Result<double> Metadata::number(std::string_view key, double fallback) const {
  return contains(key) ? number(key) : fallback;
}

Result<bool> Metadata::boolean(std::string_view key, bool fallback) const {
  return contains(key) ? boolean(key) : fallback;
}

Result<std::string_view> Metadata::string(std::string_view key, std::string_view fallback) const {
  return contains(key) ? string(key) : fallback;
}

Result<std::vector<std::string_view>> Metadata::strings(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::array || (*value)->element_type != ValueType::string) {
    return wrong_type(**value, "an array of strings");
  }
  std::vector<std::string_view> out((*value)->count);
  Cursor cursor((*value)->bytes);
  for (std::string_view& text : out) {
    const bool complete = cursor.read_string(cursor.left(), text);
    STINT_ASSERT(complete);
  }
  return out;
}

Result<std::vector<std::int64_t>> Metadata::integers(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::array) return wrong_type(**value, "an array of integers");
  std::vector<std::int64_t> out;
  out.reserve((*value)->count);
  Cursor cursor((*value)->bytes);
  for (std::size_t i = 0; i < (*value)->count; ++i) {
    const auto number = take_integer((*value)->element_type, cursor);
    if (!number) return wrong_type(**value, "an array of integers of at most 63 bits");
    out.push_back(*number);
  }
  return out;
}

Result<std::vector<float>> Metadata::floats(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::array) return wrong_type(**value, "an array of floats");
  std::vector<float> out;
  out.reserve((*value)->count);
  Cursor cursor((*value)->bytes);
  for (std::size_t i = 0; i < (*value)->count; ++i) {
    const auto number = take_float((*value)->element_type, cursor);
    if (!number) return wrong_type(**value, "an array of floats");
    out.push_back(static_cast<float>(*number));
  }
  return out;
}

Result<std::vector<bool>> Metadata::booleans(std::string_view key) const {
  const auto value = require(key);
  if (!value) return std::unexpected(value.error());
  if ((*value)->type != ValueType::array || (*value)->element_type != ValueType::boolean) {
    return wrong_type(**value, "an array of booleans");
  }
  std::vector<bool> out;
  out.reserve((*value)->count);
  for (const std::byte byte : (*value)->bytes) out.push_back(byte != std::byte{0});
  return out;
}

}  // namespace stint::gguf
