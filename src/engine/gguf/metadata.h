// Metadata: the key-value part of a GGUF file, with getters that check types. Immutable and thread-safe after open.
// Owned by its File; the string views it gives out live as long as the File, also when that is moved.
// Values stay in the encoded form, whose lengths and element types were checked when the file was opened; arrays are
// decoded by each call, so callers keep the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"

namespace stint::gguf {

// The values are the ids that stand in the file.
enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };

// "u32", "string", ...
std::string_view to_string(ValueType type);
// Bytes of one scalar of this type; 0 for strings and arrays.
std::size_t scalar_size(ValueType type);

struct Value {
  std::string_view key;
  ValueType type = ValueType::u8;
  ValueType element_type = ValueType::u8;  // of an array: never an array itself
  std::size_t count = 1;                   // elements of an array, else 1
  std::span<const std::byte> bytes;        // scalars, or strings each with its u64 length in front
};

// Every getter fails when the value has another type, a number is out of range, or (without fallback) the key is
// missing: `corrupt`, naming file, key and what was expected. Integers of any width are accepted where one is asked
// for.
class Metadata {
 public:
  Metadata() = default;
  // `values` sorted by key; `file_name` for messages.
  Metadata(std::string file_name, std::vector<Value> values);

  const Value* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  // Sorted by key.
  std::span<const Value> values() const { return values_; }

  Result<std::uint64_t> unsigned_integer(std::string_view key) const;
  Result<std::uint64_t> unsigned_integer(std::string_view key, std::uint64_t fallback) const;
  // The same for fields that must fit 32 bits.
  Result<std::uint32_t> u32(std::string_view key) const;
  Result<std::uint32_t> u32(std::string_view key, std::uint32_t fallback) const;
  // Finite floats, or integers.
  Result<double> number(std::string_view key) const;
  Result<double> number(std::string_view key, double fallback) const;
  Result<bool> boolean(std::string_view key) const;
  Result<bool> boolean(std::string_view key, bool fallback) const;
  Result<std::string_view> string(std::string_view key) const;
  Result<std::string_view> string(std::string_view key, std::string_view fallback) const;

  Result<std::vector<std::string_view>> strings(std::string_view key) const;
  // Elements of any integer type that fit.
  Result<std::vector<std::int64_t>> integers(std::string_view key) const;
  // Elements of any float type.
  Result<std::vector<float>> floats(std::string_view key) const;
  Result<std::vector<bool>> booleans(std::string_view key) const;

 private:
  Result<const Value*> require(std::string_view key) const;
  std::unexpected<Error> wrong_type(const Value& value, std::string_view expected) const;

  std::string file_name_;
  std::vector<Value> values_;
};

}  // namespace stint::gguf
