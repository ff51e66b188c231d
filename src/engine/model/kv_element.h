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

inline void store_kv(kv::KvType type, std::byte* to, std::size_t index, float value) {
  if (type == kv::KvType::f16) {
    const std::uint16_t half = kernels::f16_from_f32(value);
    std::memcpy(to + 2 * index, &half, sizeof(half));
    return;
  }
  std::memcpy(to + 4 * index, &value, sizeof(value));
}

// The keys and values of one position, each [kv_head][head_size], into slot `slot` of a layer's page.
inline void store_kv_row(const kv::PageShape& shape, std::size_t slot, const float* key, const float* value,
                         std::byte* keys, std::byte* values) {
  for (std::size_t head = 0; head < shape.kv_head_count; ++head) {
    for (std::size_t d = 0; d < shape.head_size; ++d) {
      const std::size_t element = head * shape.head_size + d;
      store_kv(shape.type, keys, element * kv::kPageTokens + slot, key[element]);
      store_kv(shape.type, values, (head * kv::kPageTokens + slot) * shape.head_size + d, value[element]);
    }
  }
}

}  // namespace stint::model
