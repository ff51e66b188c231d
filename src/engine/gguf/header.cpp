#include "engine/gguf/header.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/gguf/cursor.h"

namespace stint::gguf {
namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint32_t kVersionMin = 2;
constexpr std::uint32_t kVersionMax = 3;
constexpr std::uint32_t kDimensionCountMax = 4;
// The smallest encodings of one key with a value and of one tensor: what a count must at least be covered by.
constexpr std::size_t kValueEncodedSizeMin = 8 + 4 + 1;
constexpr std::size_t kTensorEncodedSizeMin = 8 + 4 + 8 + 4 + 8;

// Names come from the file; only a readable part of one goes into a message.
std::string printable(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, 64)) out += (c >= 0x20 && c < 0x7f) ? c : '?';
  return out;
}

class Parser {
 public:
  Parser(std::span<const std::byte> bytes, const std::string& file_name) : cursor_(bytes), file_name_(file_name) {}

  Result<Header> parse();

 private:
  template <typename... Args>
  std::unexpected<Error> corrupt(fmt::format_string<Args...> format, Args&&... args) const {
    return fail(ErrorKind::corrupt, file_name_ + ": " + fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  std::unexpected<Error> unsupported(fmt::format_string<Args...> format, Args&&... args) const {
    return fail(ErrorKind::unsupported, file_name_ + ": " + fmt::format(format, std::forward<Args>(args)...));
  }

  Result<void> parse_preamble();
  Result<void> parse_values();
  Result<Value> parse_value();
  Result<void> parse_array(Value& value);
  Result<void> parse_tensors();
  Result<TensorEntry> parse_tensor();
  Result<void> check_shape(const TensorEntry& entry) const;

  Cursor cursor_;
  const std::string& file_name_;
  std::uint64_t tensor_count_ = 0;
  std::uint64_t value_count_ = 0;
  Header header_;
};

Result<Header> Parser::parse() {
  if (auto done = parse_preamble(); !done) return std::unexpected(done.error());
  if (auto done = parse_values(); !done) return std::unexpected(done.error());
  if (auto done = parse_tensors(); !done) return std::unexpected(done.error());
  header_.size = cursor_.offset();
  if (header_.size > kHeaderSizeMax) {
    return unsupported("the header takes {} bytes, more than the limit of {}.", header_.size, kHeaderSizeMax);
  }
  return std::move(header_);
}

Result<void> Parser::parse_preamble() {
  std::uint32_t magic = 0;
  if (!cursor_.read(magic) || magic != kMagic) {
    return corrupt("is not a GGUF file (it does not begin with \"GGUF\"); give the path of a GGUF model.");
  }
  if (!cursor_.read(header_.version)) return corrupt("the file ends inside its header; download it again.");
  if (header_.version != 0 && (header_.version & 0xffff) == 0) {
    return unsupported("is a big-endian GGUF file; convert it to little-endian.");
  }
  if (header_.version < kVersionMin || header_.version > kVersionMax) {
    return unsupported("is GGUF version {}; versions 2 and 3 are supported.", header_.version);
  }
  if (!cursor_.read(tensor_count_) || !cursor_.read(value_count_)) {
    return corrupt("the file ends inside its header; download it again.");
  }
  if (value_count_ > kKeyCountMax || value_count_ > cursor_.left() / kValueEncodedSizeMin) {
    return corrupt("the header announces {} metadata keys, more than fit (limit {}).", value_count_, kKeyCountMax);
  }
  if (tensor_count_ > kTensorCountMax || tensor_count_ > cursor_.left() / kTensorEncodedSizeMin) {
    return corrupt("the header announces {} tensors, more than fit (limit {}).", tensor_count_, kTensorCountMax);
  }
  return {};
}

Result<void> Parser::parse_values() {
  header_.values.reserve(value_count_);
  for (std::uint64_t i = 0; i < value_count_; ++i) {
    auto value = parse_value();
    if (!value) return std::unexpected(value.error());
    header_.values.push_back(*value);
  }
  std::ranges::sort(header_.values, {}, &Value::key);
  const auto twice = std::ranges::adjacent_find(header_.values, {}, &Value::key);
  if (twice != header_.values.end()) return corrupt("the metadata key {} stands there twice.", printable(twice->key));
  return {};
}

Result<Value> Parser::parse_value() {
  Value value;
  std::uint32_t type = 0;
  if (!cursor_.read_string(kNameSizeMax, value.key) || value.key.empty()) {
    return corrupt("the metadata key after {} bytes is empty, cut off or longer than {} bytes.", cursor_.offset(),
                   kNameSizeMax);
  }
  if (!cursor_.read(type)) return corrupt("the file ends inside metadata key {}.", printable(value.key));
  if (type > static_cast<std::uint32_t>(ValueType::f64)) {
    return corrupt("metadata key {} has the unknown value type {}.", printable(value.key), type);
  }
  value.type = static_cast<ValueType>(type);
  if (value.type == ValueType::array) {
    if (auto done = parse_array(value); !done) return std::unexpected(done.error());
    return value;
  }
  if (value.type == ValueType::string) {
    std::string_view text;
    if (!cursor_.read_string(kStringSizeMax, text)) {
      return corrupt("metadata key {}: the text is cut off or longer than {} bytes.", printable(value.key),
                     kStringSizeMax);
    }
    value.bytes = std::as_bytes(std::span(text));
    return value;
  }
  if (!cursor_.read_bytes(scalar_size(value.type), value.bytes)) {
    return corrupt("the file ends inside metadata key {}.", printable(value.key));
  }
  return value;
}

Result<void> Parser::parse_array(Value& value) {
  std::uint32_t element_type = 0;
  std::uint64_t count = 0;
  if (!cursor_.read(element_type) || !cursor_.read(count)) {
    return corrupt("the file ends inside metadata key {}.", printable(value.key));
  }
  if (element_type > static_cast<std::uint32_t>(ValueType::f64)) {
    return corrupt("metadata key {} is an array of the unknown type {}.", printable(value.key), element_type);
  }
  value.element_type = static_cast<ValueType>(element_type);
  if (value.element_type == ValueType::array) {
    return unsupported("metadata key {} is an array of arrays; arrays of scalars and strings are supported.",
                       printable(value.key));
  }
  if (count > kArrayCountMax) {
    return corrupt("metadata key {} announces {} elements, above the limit of {}.", printable(value.key), count,
                   kArrayCountMax);
  }
  value.count = static_cast<std::size_t>(count);
  if (value.element_type != ValueType::string) {
    if (cursor_.read_bytes(value.count * scalar_size(value.element_type), value.bytes)) return {};
    return corrupt("the file ends inside metadata key {}.", printable(value.key));
  }
  Cursor strings = cursor_;
  std::string_view text;
  for (std::size_t i = 0; i < value.count; ++i) {
    if (strings.read_string(kStringSizeMax, text)) continue;
    return corrupt("metadata key {}: element {} is cut off or longer than {} bytes.", printable(value.key), i,
                   kStringSizeMax);
  }
  static_cast<void>(cursor_.read_bytes(strings.offset() - cursor_.offset(), value.bytes));
  return {};
}

Result<void> Parser::parse_tensors() {
  header_.tensors.reserve(tensor_count_);
  for (std::uint64_t i = 0; i < tensor_count_; ++i) {
    auto entry = parse_tensor();
    if (!entry) return std::unexpected(entry.error());
    header_.tensors.push_back(*entry);
  }
  return {};
}

Result<TensorEntry> Parser::parse_tensor() {
  TensorEntry entry;
  if (!cursor_.read_string(kNameSizeMax, entry.name) || entry.name.empty()) {
    return corrupt("the name of tensor {} is empty, cut off or longer than {} bytes.", header_.tensors.size(),
                   kNameSizeMax);
  }
  std::uint32_t dimension_count = 0;
  if (!cursor_.read(dimension_count)) return corrupt("the file ends inside tensor {}.", printable(entry.name));
  if (dimension_count == 0 || dimension_count > kDimensionCountMax) {
    return corrupt("tensor {} has {} dimensions; 1 to {} are possible.", printable(entry.name), dimension_count,
                   kDimensionCountMax);
  }
  bool complete = true;
  for (std::uint32_t d = 0; d < dimension_count; ++d) complete = complete && cursor_.read(entry.ne[d]);
  std::uint32_t type_id = 0;
  complete = complete && cursor_.read(type_id) && cursor_.read(entry.offset);
  if (!complete) return corrupt("the file ends inside tensor {}.", printable(entry.name));
  const auto type = tensor_type_from_id(type_id);
  if (!type) {
    return unsupported("tensor {} has type {}; supported types are {}.", printable(entry.name),
                       describe_tensor_type(type_id), supported_tensor_types());
  }
  entry.type = *type;
  if (auto shape = check_shape(entry); !shape) return std::unexpected(shape.error());
  return entry;
}

Result<void> Parser::check_shape(const TensorEntry& entry) const {
  std::uint64_t element_count = 1;
  for (const std::uint64_t n : entry.ne) {
    // Below 2^55, so that the byte size (at most 4 a weight) needs no second check.
    if (n == 0 || __builtin_mul_overflow(element_count, n, &element_count) || element_count >> 55 != 0) {
      return corrupt("tensor {} has impossible dimensions ({} x {} x {} x {}).", printable(entry.name), entry.ne[0],
                     entry.ne[1], entry.ne[2], entry.ne[3]);
    }
  }
  if (entry.ne[0] % block_count(entry.type) != 0) {
    return corrupt("tensor {}: a row of {} elements is not whole blocks of {} ({}).", printable(entry.name),
                   entry.ne[0], block_count(entry.type), to_string(entry.type));
  }
  return {};
}

}  // namespace

Result<Header> parse_header(std::span<const std::byte> bytes, const std::string& file_name) {
  return Parser(bytes, file_name).parse();
}

Result<std::vector<Tensor>> place_tensors(const Header& header, std::size_t alignment, std::span<const std::byte> file,
                                          const std::string& file_name) {
  const auto corrupt = [&](std::string_view tensor, std::string_view what) {
    return fail(ErrorKind::corrupt, fmt::format("{}: tensor {} {}.", file_name, printable(tensor), what));
  };
  const std::size_t data_start = (header.size + alignment - 1) / alignment * alignment;
  std::vector<Tensor> tensors;
  tensors.reserve(header.tensors.size());
  for (const TensorEntry& entry : header.tensors) {
    Tensor tensor;
    tensor.name = entry.name;
    tensor.type = entry.type;
    tensor.ne = entry.ne;
    tensor.row_size = entry.ne[0] / block_count(entry.type) * block_size(entry.type);
    const std::uint64_t size = tensor.row_size * tensor.row_count();
    if (entry.offset % alignment != 0) return corrupt(entry.name, fmt::format("is not aligned to {} bytes", alignment));
    if (data_start > file.size() || entry.offset > file.size() - data_start ||
        size > file.size() - data_start - entry.offset) {
      return corrupt(entry.name, fmt::format("ends behind the end of the file ({} bytes); the file is cut off, "
                                             "download it again",
                                             file.size()));
    }
    tensor.bytes = file.subspan(data_start + entry.offset, size);
    tensors.push_back(tensor);
  }
  std::vector<const Tensor*> by_place;
  for (const Tensor& tensor : tensors) by_place.push_back(&tensor);
  std::ranges::sort(by_place, {}, [](const Tensor* tensor) { return tensor->bytes.data(); });
  for (std::size_t i = 1; i < by_place.size(); ++i) {
    const Tensor& before = *by_place[i - 1];
    if (before.bytes.data() + before.bytes.size() > by_place[i]->bytes.data()) {
      return corrupt(by_place[i]->name, fmt::format("overlaps tensor {}", printable(before.name)));
    }
  }
  return tensors;
}

}  // namespace stint::gguf
