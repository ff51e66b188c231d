// One number of the KV cache, in the pool's type. Pure functions. Index formulas: kv/page_pool.h.
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

}  // namespace stint::model
