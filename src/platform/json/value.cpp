#include "platform/json/value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "platform/base/assert.h"

namespace stint::json {
namespace {

// Keys in messages are cut here, so that an error never carries megabytes of the body back.
constexpr std::size_t kPathKeySizeMax = 64;

std::string key_for_path(std::string key) {
  if (key.size() <= kPathKeySizeMax) return key;
  std::size_t size = kPathKeySizeMax;
  while ((static_cast<unsigned char>(key[size]) & 0xC0) == 0x80) --size;
  key.resize(size);
  return key + "...";
}

// The whole number that `text` writes as a fraction or with an exponent (1.0, 1e2), if it is one below 2^53.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value >= 0x1p53 || std::floor(value) != value) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a boolean";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  STINT_ASSERT(false);
}

Kind Value::kind() const {
  STINT_ASSERT(exists());
  return node_->kind;
}

Span Value::span() const {
  STINT_ASSERT(exists());
  return node_->span;
}

std::string_view Value::raw() const {
  if (!exists()) return {};
  return {text_ + node_->span.begin, node_->span.size()};
}

Result<bool> Value::boolean() const {
  if (!is(Kind::boolean)) return std::unexpected(mismatch("a boolean"));
  return raw() == "true";
}

Result<std::uint64_t> Value::integer(std::uint64_t min, std::uint64_t max) const {
  if (!is(Kind::number)) return std::unexpected(mismatch("an integer"));
  const std::string_view text = raw();
  std::uint64_t value = 0;
  const auto [end, parse_error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_exact = parse_error == std::errc() && end == text.data() + text.size();
  const std::optional<std::uint64_t> whole = is_exact ? value : whole_number(text);
  if (!whole || *whole < min || *whole > max) {
    return std::unexpected(max == std::numeric_limits<std::uint64_t>::max()
                               ? error(fmt::format("must be an integer of at least {}.", min))
                               : error(fmt::format("must be an integer from {} to {}.", min, max)));
  }
  return *whole;
}

Result<std::int64_t> Value::signed_integer() const {
  if (!raw().starts_with('-')) {
    const auto value = integer(0, std::numeric_limits<std::int64_t>::max());
    if (!value) return std::unexpected(value.error());
    return static_cast<std::int64_t>(*value);
  }
  const std::string_view text = raw();
  std::int64_t value = 0;
  const auto [end, parse_error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parse_error != std::errc() || end != text.data() + text.size()) {
    return std::unexpected(error("must be an integer of 64 bits."));
  }
  return value;
}

Result<double> Value::number(double min, double max) const {
  if (!is(Kind::number)) return std::unexpected(mismatch("a number"));
  const std::string_view text = raw();
  double value = 0;
  const auto [end, parse_error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars does not say whether a number is too large or too close to zero; strtod gives infinity or zero.
  if (parse_error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
  if (value < min || value > max)
    return std::unexpected(error(fmt::format("must be a number from {} to {}.", min, max)));
  return value;
}

Result<Elements> Value::array() const {
  if (!is(Kind::array)) return std::unexpected(mismatch("an array"));
  return Elements(*this);
}

Result<Members> Value::object() const {
  if (!is(Kind::object)) return std::unexpected(mismatch("an object"));
  return Members(*this);
}

Result<std::string> Value::string() const {
  if (!is(Kind::string)) return std::unexpected(mismatch("a string"));
  return node_->escaped ? unescape(quoted()) : std::string(quoted());
}

bool Value::equals(std::string_view text) const {
  if (!is(Kind::string)) return false;
  if (!node_->escaped) return quoted() == text;
  // An escape takes at most six bytes for one, so longer strings need no unescaping.
  return quoted().size() <= 6 * text.size() && unescape(quoted()) == text;
}

std::string Value::path() const {
  std::string path;
  const Node* at = root_;
  while (at != node_) {
    if (!path.empty()) path += '.';
    if (at->kind == Kind::array) {
      std::size_t index = 0;
      for (at = at + 1; at + at->extent <= node_; at += at->extent) ++index;
      path += std::to_string(index);
    } else {
      const Node* key = at + 1;
      while (key + 1 + key[1].extent <= node_) key += 1 + key[1].extent;
      path += key_for_path(unescape(Value(root_, key, text_).quoted()));
      at = key == node_ ? key : key + 1;
    }
  }
  return path;
}

Error Value::error(std::string_view what) const {
  if (!exists()) return {ErrorKind::invalid_request, std::string(what), {}, {}};
  const std::string where = path();
  return {ErrorKind::invalid_request, fmt::format("{}: {}", where.empty() ? "body" : where, what), where, {}};
}

Error Value::member_error(std::string_view key, std::string_view what) const {
  STINT_ASSERT(exists());
  std::string where = path();
  if (!where.empty()) where += '.';
  where += key;
  return {ErrorKind::invalid_request, fmt::format("{}: {}", where, what), where, {}};
}

Error Value::mismatch(std::string_view expected) const {
  return error(fmt::format("expected {}, got {}.", expected, exists() ? to_string(kind()) : "nothing"));
}

std::size_t Elements::count() const {
  std::size_t count = 0;
  for (Iterator at = begin(); at != end(); ++at) ++count;
  return count;
}

}  // namespace stint::json
