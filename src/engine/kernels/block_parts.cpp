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

// Where the parts of one block stand in a panel; null where the layout has none.
template <typename Byte>
struct Places {
  Byte* scales = nullptr;    // 8 f16
  Byte* minimums = nullptr;  // 8 f16
  Byte* sub_scales = nullptr;
  Byte* nibbles = nullptr;
  Byte* fifths = nullptr;
  Byte* pairs = nullptr;
  Byte* bytes = nullptr;
};

template <typename Byte>
Places<Byte> places_in_simple(PackedLayout layout, Byte* panel, std::uint32_t index) {
  Places<Byte> places;
  Byte* block = panel + panel_size(layout, kBlockColumns) * index;
  places.scales = block;
  if (layout == PackedLayout::s8) {
    places.bytes = block + kHalvesSize;
    return places;
  }
  places.minimums = block + kHalvesSize;
  places.nibbles = block + 2 * kHalvesSize;
  if (layout == PackedLayout::u5_min) places.fifths = places.nibbles + kNibblesSize;
  return places;
}

template <typename Byte>
Places<Byte> places_in_super(PackedLayout layout, Byte* panel, std::uint32_t index) {
  Places<Byte> places;
  Byte* super = panel + panel_size(layout, kSuperColumns) * (index / kSuperBlocks);
  const bool has_minimums = layout != PackedLayout::u6_k;
  const std::size_t head_size = has_minimums ? 2 * kHalvesSize : kHalvesSize;
  const std::size_t block_size = (panel_size(layout, kSuperColumns) - head_size) / kSuperBlocks;
  places.scales = super;
  if (has_minimums) places.minimums = super + kHalvesSize;
  places.sub_scales = super + head_size + block_size * (index % kSuperBlocks);
  places.nibbles = places.sub_scales + kSubScalesSize;
  if (layout == PackedLayout::u5_k) places.fifths = places.nibbles + kNibblesSize;
  if (layout == PackedLayout::u6_k) places.pairs = places.nibbles + kNibblesSize;
  return places;
}

template <typename Byte>
Places<Byte> places_in(PackedLayout layout, Byte* panel, std::uint32_t index) {
  const bool super = layout == PackedLayout::u4_k || layout == PackedLayout::u5_k || layout == PackedLayout::u6_k;
  return super ? places_in_super(layout, panel, index) : places_in_simple(layout, panel, index);
}

void set_bits(std::byte& byte, std::uint32_t value, std::uint32_t shift) {
  byte |= static_cast<std::byte>(value << shift);
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

BlockParts parts_from_panel(PackedLayout layout, const std::byte* panel, std::uint32_t row, std::uint32_t index) {
  const Places<const std::byte> places = places_in(layout, panel, index);
  BlockParts parts;
  parts.scale = load<std::uint16_t>(places.scales + 2 * row);
  if (places.minimums != nullptr) parts.minimum = load<std::uint16_t>(places.minimums + 2 * row);
  if (places.sub_scales != nullptr)
    parts.sub_scales = {load<std::uint8_t>(places.sub_scales + row), load<std::uint8_t>(places.sub_scales + 8 + row)};
  for (std::uint32_t column = 0; column < kBlockColumns; ++column) {
    const std::uint32_t group = column / 4;
    const std::size_t lane = row * 4 + column % 4;
    std::uint32_t q = 0;
    if (places.bytes != nullptr) {
      q = byte_at(places.bytes, group * 32 + lane);
    } else {
      q = (byte_at(places.nibbles, group % 4 * 32 + lane) >> (group / 4 * 4)) & 15U;
    }
    if (places.fifths != nullptr) q |= ((byte_at(places.fifths, lane) >> group) & 1U) << 4;
    if (places.pairs != nullptr) q |= ((byte_at(places.pairs, group / 4 * 32 + lane) >> (group % 4 * 2)) & 3U) << 4;
    parts.quants[column] = static_cast<std::uint8_t>(q);
  }
  return parts;
}

void parts_to_panel(PackedLayout layout, const BlockParts& parts, std::byte* panel, std::uint32_t row,
                    std::uint32_t index) {
  const Places<std::byte> places = places_in(layout, panel, index);
  std::memcpy(places.scales + 2 * row, &parts.scale, 2);
  if (places.minimums != nullptr) std::memcpy(places.minimums + 2 * row, &parts.minimum, 2);
  if (places.sub_scales != nullptr) {
    places.sub_scales[row] = static_cast<std::byte>(parts.sub_scales[0]);
    places.sub_scales[8 + row] = static_cast<std::byte>(parts.sub_scales[1]);
  }
  if (places.bytes != nullptr) {
    for (std::uint32_t group = 0; group < 8; ++group)
      std::memcpy(places.bytes + group * 32 + row * 4, parts.quants.data() + group * 4, 4);
    return;
  }
  for (std::uint32_t column = 0; column < kBlockColumns; ++column) {
    const std::uint32_t group = column / 4;
    const std::size_t lane = row * 4 + column % 4;
    const std::uint32_t q = parts.quants[column];
    set_bits(places.nibbles[group % 4 * 32 + lane], q & 15U, group / 4 * 4);
    if (places.fifths != nullptr) set_bits(places.fifths[lane], (q >> 4) & 1U, group);
    if (places.pairs != nullptr) set_bits(places.pairs[group / 4 * 32 + lane], (q >> 4) & 3U, group % 4 * 2);
  }
}

BlockScale block_scale(PackedLayout layout, const BlockParts& parts, std::uint32_t half) {
  const float d = f32_from_f16(parts.scale);
  const float m = f32_from_f16(parts.minimum);
  switch (layout) {
    case PackedLayout::u4_k:
    case PackedLayout::u5_k:
      return {d * static_cast<float>(parts.sub_scales[0]), -m * static_cast<float>(parts.sub_scales[1])};
    case PackedLayout::u6_k: {
      const float scale = d * static_cast<float>(static_cast<std::int8_t>(parts.sub_scales[half]));
      return {scale, -32 * scale};
    }
    default:
      return {d, m};
  }
}

}  // namespace stint::kernels
