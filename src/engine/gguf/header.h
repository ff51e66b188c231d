// Header: what stands in front of the tensor data of a GGUF file, checked: magic, version, metadata, tensor table.
// Pure functions over bytes; the result borrows from them. Limits: file.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gguf/file.h"

namespace stint::gguf {

// An entry of the tensor table; name, dimensions and type are checked, the place is not.
struct TensorEntry {
  std::string_view name;
  TensorType type = TensorType::f32;
  std::array<std::uint64_t, 4> ne{1, 1, 1, 1};
  std::uint64_t offset = 0;  // from the start of the tensor data
};

struct Header {
  std::uint32_t version = 0;
  std::vector<Value> values;  // sorted by key, no key twice
  std::vector<TensorEntry> tensors;
  std::size_t size = 0;  // bytes up to the end of the tensor table
};

// Errors: corrupt, unsupported; the messages begin with `file_name`. O(bytes read + n log n).
Result<Header> parse_header(std::span<const std::byte> bytes, const std::string& file_name);

// The tensors of `header` with their bytes in `file`. Errors: corrupt (outside the file, misaligned, overlapping, same
// name twice). O(n log n).
Result<std::vector<Tensor>> place_tensors(const Header& header, std::size_t alignment, std::span<const std::byte> file,
                                          const std::string& file_name);

}  // namespace stint::gguf
