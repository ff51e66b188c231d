// Any bytes: File::from_bytes gives an Error, or a file whose every byte and value can be read.
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/gguf/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stint;
  const auto file = gguf::File::from_bytes(std::as_bytes(std::span(data, size)), "fuzz");
  if (!file) return 0;
  std::size_t sum = 0;
  for (const gguf::Tensor& tensor : file->tensors()) {
    for (const std::byte byte : tensor.bytes) sum += static_cast<std::size_t>(byte);
    if (file->find_tensor(tensor.name) != &tensor) __builtin_trap();
  }
  const gguf::Metadata& metadata = file->metadata();
  for (const gguf::Value& value : metadata.values()) {
    sum += metadata.unsigned_integer(value.key).value_or(0);
    sum += metadata.string(value.key).value_or("").size();
    if (const auto strings = metadata.strings(value.key)) {
      for (const auto text : *strings) sum += text.size();
    }
    if (const auto integers = metadata.integers(value.key)) sum += integers->size();
    if (const auto floats = metadata.floats(value.key)) sum += floats->size();
    if (const auto booleans = metadata.booleans(value.key)) sum += booleans->size();
    sum += metadata.number(value.key).has_value() ? 1 : 0;
  }
  volatile std::size_t sink = sum;
  static_cast<void>(sink);
  return 0;
}
