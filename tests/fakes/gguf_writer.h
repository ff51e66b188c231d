// GgufWriter: builds the bytes of a GGUF file for tests and benchmarks: metadata, then tensors, in the order of the
// calls. Not thread-safe; owns what it was given. Asserts nothing about sense: tests also write files that lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/gguf/metadata.h"
#include "engine/gguf/tensor_type.h"

namespace stint::fakes {

class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t alignment = 32, std::uint32_t version = 3)
      : alignment_(alignment), version_(version) {}

  void set_u32(std::string_view key, std::uint32_t value);
  void set_f32(std::string_view key, float value);
  void set_boolean(std::string_view key, bool value);
  void set_string(std::string_view key, std::string_view value);
  void set_strings(std::string_view key, std::span<const std::string> values);
  void set_floats(std::string_view key, std::span<const float> values);
  void set_integers(std::string_view key, std::span<const std::int32_t> values);
  // A value of any type whose encoding is given.
  void set_raw(std::string_view key, gguf::ValueType type, std::string_view encoded);

  // `ne` with the contiguous dimension first; `bytes` as they stand in the file.
  void add_tensor(std::string_view name, std::span<const std::uint64_t> ne, gguf::TensorType type, std::string bytes);
  // The same with any type id and a place of the caller's choice, in place of the next aligned one.
  void add_tensor_at(std::string_view name, std::span<const std::uint64_t> ne, std::uint32_t type_id,
                     std::uint64_t offset, std::string bytes);

  std::string finish() const;

 private:
  std::uint32_t alignment_;
  std::uint32_t version_;
  std::uint64_t value_count_ = 0;
  std::uint64_t tensor_count_ = 0;
  std::string values_;
  std::string tensors_;
  std::string data_;
};

// Appends the little-endian bytes of a number, or a string with its u64 length in front.
template <typename T>
void append_encoded(std::string& out, const T& value) {
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    const std::string_view text(value);
    append_encoded(out, static_cast<std::uint64_t>(text.size()));
    out.append(text);
  } else {
    static_assert(std::is_arithmetic_v<T>);
    out.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
}

}  // namespace stint::fakes
