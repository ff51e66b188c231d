#include "engine/gguf/tensor_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "platform/base/assert.h"

namespace stint::gguf {
namespace {

struct TypeFacts {
  TensorType type;
  std::string_view name;
  std::size_t block_count;
  std::size_t block_size;
};

constexpr std::array<TypeFacts, 11> kTypes{{
    {TensorType::f32, "F32", 1, 4},
    {TensorType::f16, "F16", 1, 2},
    {TensorType::bf16, "BF16", 1, 2},
    {TensorType::q4_0, "Q4_0", 32, 18},
    {TensorType::q4_1, "Q4_1", 32, 20},
    {TensorType::q5_0, "Q5_0", 32, 22},
    {TensorType::q5_1, "Q5_1", 32, 24},
    {TensorType::q8_0, "Q8_0", 32, 34},
    {TensorType::q4_k, "Q4_K", 256, 144},
    {TensorType::q5_k, "Q5_K", 256, 176},
    {TensorType::q6_k, "Q6_K", 256, 210},
}};

struct ForeignType {
  std::uint32_t id;
  std::string_view name;
};

// Ids of ggml that exist in the wild and that the engine does not compute with.
constexpr std::array<ForeignType, 21> kForeignTypes{{
    {9, "Q8_1"},   {10, "Q2_K"},   {11, "Q3_K"},  {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"},
    {19, "IQ1_S"}, {20, "IQ4_NL"}, {21, "IQ3_S"}, {22, "IQ2_S"}, {23, "IQ4_XS"},  {24, "I8"},     {25, "I16"},
    {26, "I32"},   {27, "I64"},    {28, "F64"},   {29, "IQ1_M"}, {34, "TQ1_0"},   {35, "TQ2_0"},  {39, "MXFP4"},
}};

const TypeFacts& facts(TensorType type) {
  const auto* found = std::ranges::find(kTypes, type, &TypeFacts::type);
  STINT_ASSERT(found != kTypes.end());
  return *found;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

}  // namespace

std::size_t block_count(TensorType type) {
  return facts(type).block_count;
}

std::size_t block_size(TensorType type) {
  return facts(type).block_size;
}

std::string_view to_string(TensorType type) {
  return facts(type).name;
}

std::optional<TensorType> tensor_type_from_id(std::uint32_t id) {
  const auto* found = std::ranges::find(kTypes, static_cast<TensorType>(id), &TypeFacts::type);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

std::optional<TensorType> tensor_type_from_name(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kTypes, [&](const TypeFacts& f) { return equal_ignoring_case(f.name, name); });
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

std::string describe_tensor_type(std::uint32_t id) {
  if (const auto type = tensor_type_from_id(id)) return fmt::format("{} ({})", to_string(*type), id);
  const auto* found = std::ranges::find(kForeignTypes, id, &ForeignType::id);
  return fmt::format("{} ({})", found == kForeignTypes.end() ? "unknown" : found->name, id);
}

std::string supported_tensor_types() {
  std::string names;
  for (const TypeFacts& type : kTypes) {
    if (!names.empty()) names += ", ";
    names += type.name;
  }
  return names;
}

}  // namespace stint::gguf
