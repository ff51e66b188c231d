// The weight formats of GGUF tensors that the engine computes with, and their sizes. Pure functions.
// Ids and block layouts: ggml's `enum ggml_type` (the layouts themselves are described in kernels).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stint::gguf {

// The values are the ids that stand in the file.
enum class TensorType : std::uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  bf16 = 30,
};

// Consecutive elements of a row that are stored together: 1, 32 or 256.
std::size_t block_count(TensorType type);
// Bytes of one such block.
std::size_t block_size(TensorType type);
// The name GGUF tools use, e.g. "Q4_1".
std::string_view to_string(TensorType type);

// The type with this id, if the engine computes with it.
std::optional<TensorType> tensor_type_from_id(std::uint32_t id);
// Case-insensitive; for command lines.
std::optional<TensorType> tensor_type_from_name(std::string_view name);
// "IQ4_NL (20)": the name of any id, also of those the engine does not know, for messages.
std::string describe_tensor_type(std::uint32_t id);
// "F32, F16, BF16, ...": for messages.
std::string supported_tensor_types();

}  // namespace stint::gguf
