#include "tests/fakes/gguf_writer.h"

#include <utility>

namespace stint::fakes {
namespace {

void pad(std::string& bytes, std::size_t alignment) {
  while (bytes.size() % alignment != 0) bytes.push_back('\0');
}

template <typename T>
std::string encoded_array(gguf::ValueType element_type, std::span<const T> values) {
  std::string out;
  append_encoded(out, static_cast<std::uint32_t>(element_type));
  append_encoded(out, static_cast<std::uint64_t>(values.size()));
  for (const T& value : values) append_encoded(out, value);
  return out;
}

template <typename T>
std::string encoded(const T& value) {
  std::string out;
  append_encoded(out, value);
  return out;
}

}  // namespace

void GgufWriter::set_raw(std::string_view key, gguf::ValueType type, std::string_view encoded_value) {
  append_encoded(values_, key);
  append_encoded(values_, static_cast<std::uint32_t>(type));
  values_.append(encoded_value);
  ++value_count_;
}

void GgufWriter::set_u32(std::string_view key, std::uint32_t value) {
  set_raw(key, gguf::ValueType::u32, encoded(value));
}

void GgufWriter::set_f32(std::string_view key, float value) {
  set_raw(key, gguf::ValueType::f32, encoded(value));
}

void GgufWriter::set_boolean(std::string_view key, bool value) {
  set_raw(key, gguf::ValueType::boolean, encoded(value));
}

void GgufWriter::set_string(std::string_view key, std::string_view value) {
  set_raw(key, gguf::ValueType::string, encoded(value));
}

void GgufWriter::set_strings(std::string_view key, std::span<const std::string> values) {
  set_raw(key, gguf::ValueType::array, encoded_array(gguf::ValueType::string, values));
}

void GgufWriter::set_floats(std::string_view key, std::span<const float> values) {
  set_raw(key, gguf::ValueType::array, encoded_array(gguf::ValueType::f32, values));
}

void GgufWriter::set_integers(std::string_view key, std::span<const std::int32_t> values) {
  set_raw(key, gguf::ValueType::array, encoded_array(gguf::ValueType::i32, values));
}

void GgufWriter::add_tensor(std::string_view name, std::span<const std::uint64_t> ne, gguf::TensorType type,
                            std::string bytes) {
  pad(data_, alignment_);
  add_tensor_at(name, ne, static_cast<std::uint32_t>(type), data_.size(), std::move(bytes));
}

void GgufWriter::add_tensor_at(std::string_view name, std::span<const std::uint64_t> ne, std::uint32_t type_id,
                               std::uint64_t offset, std::string bytes) {
  append_encoded(tensors_, name);
  append_encoded(tensors_, static_cast<std::uint32_t>(ne.size()));
  for (const std::uint64_t n : ne) append_encoded(tensors_, n);
  append_encoded(tensors_, type_id);
  append_encoded(tensors_, offset);
  data_.append(bytes);
  ++tensor_count_;
}

std::string GgufWriter::finish() const {
  std::string out = "GGUF";
  append_encoded(out, version_);
  append_encoded(out, tensor_count_);
  append_encoded(out, value_count_ + (alignment_ == 32 ? 0 : 1));
  if (alignment_ != 32) {
    append_encoded(out, std::string_view("general.alignment"));
    append_encoded(out, static_cast<std::uint32_t>(gguf::ValueType::u32));
    append_encoded(out, alignment_);
  }
  out += values_;
  out += tensors_;
  pad(out, alignment_);
  out += data_;
  pad(out, alignment_);
  return out;
}

}  // namespace stint::fakes
