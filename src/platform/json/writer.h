// Writer: appends JSON to a string the caller owns, placing commas by itself. What it writes is always valid JSON in
// valid UTF-8: bytes that are none become U+FFFD, numbers that JSON cannot hold (NaN, infinity) become null.
// Floats are the shortest text that reads back to the same value. Not thread-safe.
// Limits: kJsonDepthMax open containers. Calls that do not form a JSON value are bugs of the caller, partly asserted.
#pragma once

#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/limits.h"

namespace stint::json {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object() { return open('{'); }
  Writer& end_object() { return close('}'); }
  Writer& begin_array() { return open('['); }
  Writer& end_array() { return close(']'); }
  Writer& key(std::string_view name);

  Writer& string(std::string_view text);
  Writer& boolean(bool value) { return raw(value ? "true" : "false"); }
  Writer& null() { return raw("null"); }
  template <std::integral Integer>
  Writer& integer(Integer value) {
    if constexpr (std::signed_integral<Integer>) {
      return signed_integer(value);
    } else {
      return unsigned_integer(value);
    }
  }
  Writer& number(float value);
  Writer& number(double value);
  // A value that is JSON already, or several items or members with their commas, taken as they are.
  // Requires: valid JSON.
  Writer& raw(std::string_view json);

  // key and value in one call, the commonest case.
  Writer& member(std::string_view name, std::string_view text) { return key(name).string(text); }

 private:
  Writer& open(char bracket);
  Writer& close(char bracket);
  Writer& signed_integer(std::int64_t value);
  Writer& unsigned_integer(std::uint64_t value);
  void separate();

  std::string& out_;
  std::size_t depth_ = 0;
  std::bitset<base::kJsonDepthMax> has_items_;  // by open container: a comma is due before the next item
  bool after_key_ = false;
};

// Appends `text` as a JSON string with its quotes.
void append_string(std::string& out, std::string_view text);

}  // namespace stint::json
