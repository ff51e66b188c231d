#include "engine/kernels/block_parts.h"

#include <cstring>

#include "engine/kernels/half.h"
#include "engine/kernels/k_scales.h"

namespace stint::kernels {

namespace {

std::uint32_t byte_at(const std::byte* from, std::size_t index) {
  return static_cast<std::uint32_t>(from[index]);
}

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

void split_nibbles(const std::byte* nibbles, std::uint32_t fifths, BlockParts& parts) {
  for (std::uint32_t j = 0; j < 16; ++j) {
    parts.quants[j] = static_cast<std::uint8_t>((byte_at(nibbles, j) & 15U) | (((fifths >> j) & 1U) << 4));
    parts.quants[j + 16] = static_cast<std::uint8_t>((byte_at(nibbles, j) >> 4) | (((fifths >> (j + 16)) & 1U) << 4));
  }
}

std::uint16_t times(std::uint16_t half, float factor) {
  return f16_from_f32(f32_from_f16(half) * factor);
}

// Block `sub` of a Q4_K or Q5_K super block; `fifths` null for Q4_K.
void split_k(const std::byte* super, std::uint32_t sub, const std::byte* fifths, const std::byte* nibbles,
             BlockParts& parts) {
  parts.scale = load<std::uint16_t>(super);
  parts.minimum = load<std::uint16_t>(super + 2);
  const KScale k = k_scale(super + 4, sub);
  parts.sub_scales = {k.scale, k.minimum};
  for (std::uint32_t l = 0; l < kBlockColumns; ++l) {
    const std::uint32_t pair = byte_at(nibbles, sub / 2 * 32 + l);
    std::uint32_t q = sub % 2 == 0 ? pair & 15U : pair >> 4;
    if (fifths != nullptr) q |= ((byte_at(fifths, l) >> sub) & 1U) << 4;
    parts.quants[l] = static_cast<std::uint8_t>(q);
  }
}

void split_q6_k(const std::byte* super, std::uint32_t sub, BlockParts& parts) {
  parts.scale = load<std::uint16_t>(super + 208);
  parts.sub_scales = {load<std::uint8_t>(super + 192 + 2 * sub), load<std::uint8_t>(super + 193 + 2 * sub)};
  for (std::uint32_t l = 0; l < kBlockColumns; ++l)
    parts.quants[l] = static_cast<std::uint8_t>(q6_k_quant(super, sub * kBlockColumns + l));
}

}  // namespace

BlockParts parts_from_file(WeightType type, const std::byte* row, std::uint32_t index) {
  BlockParts parts;
  const BlockShape shape = block_shape(type);
  const std::uint32_t per_block = shape.count / kBlockColumns;
  const std::byte* block = row + static_cast<std::size_t>(index / per_block) * shape.size;
  const std::uint32_t sub = index % per_block;
  parts.scale = load<std::uint16_t>(block);
  switch (type) {
    case WeightType::q4_0:
      parts.minimum = times(parts.scale, -8);
      split_nibbles(block + 2, 0, parts);
      break;
    case WeightType::q4_1:
      parts.minimum = load<std::uint16_t>(block + 2);
      split_nibbles(block + 4, 0, parts);
      break;
    case WeightType::q5_0:
      parts.minimum = times(parts.scale, -16);
      split_nibbles(block + 6, load<std::uint32_t>(block + 2), parts);
      break;
    case WeightType::q5_1:
      parts.minimum = load<std::uint16_t>(block + 2);
      split_nibbles(block + 8, load<std::uint32_t>(block + 4), parts);
      break;
    case WeightType::q8_0:
      std::memcpy(parts.quants.data(), block + 2, kBlockColumns);
      break;
    case WeightType::q4_k:
      split_k(block, sub, nullptr, block + 16, parts);
      break;
    case WeightType::q5_k:
      split_k(block, sub, block + 16, block + 48, parts);
      break;
    case WeightType::q6_k:
      split_q6_k(block, sub, parts);
      break;
    case WeightType::f32:
    case WeightType::f16:
    case WeightType::bf16:
      break;
  }
  return parts;
}

}  // namespace stint::kernels
