// Numbers of the KV cache, in the pool's type. Pure functions. Index formulas: kv/page_pool.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/kernels/half.h"
#include "engine/kv/page_pool.h"

namespace stint::model {

inline float load_kv(kv::KvType type, const std::byte* from, std::size_t index) {
  if (type == kv::KvType::f16) {
    std::uint16_t half;
    std::memcpy(&half, from + 2 * index, sizeof(half));
    return kernels::f32_from_f16(half);
  }
  float value;
  std::memcpy(&value, from + 4 * index, sizeof(value));
  return value;
}

// The keys and values of one position, each [kv_head][head_size] of the pool's type (Element: float, or f16 as
// uint16_t), into slot `slot` of a layer's page.
template <typename Element>
void store_kv_row(const kv::PageShape& shape, std::size_t slot, const Element* key, const Element* value,
                  std::byte* keys, std::byte* values) {
  for (std::size_t head = 0; head < shape.kv_head_count; ++head) {
    for (std::size_t d = 0; d < shape.head_size; ++d) {
      const std::size_t element = head * shape.head_size + d;
      std::memcpy(keys + (element * kv::kPageTokens + slot) * sizeof(Element), key + element, sizeof(Element));
    }
    const std::size_t first = (head * kv::kPageTokens + slot) * shape.head_size;
    std::memcpy(values + first * sizeof(Element), value + head * shape.head_size, shape.head_size * sizeof(Element));
  }
}

}  // namespace stint::model
