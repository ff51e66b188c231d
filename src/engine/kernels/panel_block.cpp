#include "engine/kernels/panel_block.h"

#include <cstring>

#include "engine/kernels/half.h"

namespace stint::kernels {

namespace {

constexpr std::size_t kVectorSize = kPanelRows * 4;  // one group of all rows
constexpr std::uint32_t kGroups = kBlockColumns / 4;

// Where the parts of one block stand in a panel; null where the layout has none. Byte: std::byte or const std::byte.
template <typename Byte>
struct Places {
  Byte* scales = nullptr;
  Byte* minimums = nullptr;
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

const std::uint8_t* bytes_of(const std::byte* from) {
  return reinterpret_cast<const std::uint8_t*>(from);
}
std::uint8_t* bytes_of(std::byte* to) {
  return reinterpret_cast<std::uint8_t*>(to);
}

// One group's bits from position `shift` of the bytes at `packed` become bits 4 and above of its quants; and back.
void add_upper_bits(const std::uint8_t* packed, std::uint32_t shift, std::uint32_t mask, std::uint8_t* quants) {
  for (std::size_t i = 0; i < kVectorSize; ++i)
    quants[i] = static_cast<std::uint8_t>(quants[i] | (((packed[i] >> shift) & mask) << 4));
}

void take_upper_bits(const std::uint8_t* quants, std::uint32_t shift, std::uint32_t mask, std::uint8_t* packed) {
  for (std::size_t i = 0; i < kVectorSize; ++i)
    packed[i] = static_cast<std::uint8_t>(packed[i] | (((quants[i] >> 4) & mask) << shift));
}

}  // namespace

void set_row(PanelBlock& block, std::uint32_t row, const BlockParts& parts) {
  for (std::uint32_t group = 0; group < kGroups; ++group)
    std::memcpy(block.quants + group * kVectorSize + row * 4, parts.quants.data() + group * 4, 4);
  block.scales[row] = parts.scale;
  block.minimums[row] = parts.minimum;
  block.sub_scales[0][row] = parts.sub_scales[0];
  block.sub_scales[1][row] = parts.sub_scales[1];
}

PanelBlock read_block(PackedLayout layout, const std::byte* panel, std::uint32_t index) {
  const Places<const std::byte> places = places_in(layout, panel, index);
  PanelBlock block;
  std::memcpy(block.scales, places.scales, sizeof(block.scales));
  if (places.minimums != nullptr) std::memcpy(block.minimums, places.minimums, sizeof(block.minimums));
  if (places.sub_scales != nullptr) std::memcpy(block.sub_scales, places.sub_scales, sizeof(block.sub_scales));
  if (places.bytes != nullptr) {
    std::memcpy(block.quants, places.bytes, kBytesSize);
    return block;
  }
  const std::uint8_t* nibbles = bytes_of(places.nibbles);
  for (std::size_t i = 0; i < kNibblesSize; ++i) {
    block.quants[i] = nibbles[i] & 15U;
    block.quants[kNibblesSize + i] = static_cast<std::uint8_t>(nibbles[i] >> 4);
  }
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    std::uint8_t* quants = block.quants + group * kVectorSize;
    if (places.fifths != nullptr) add_upper_bits(bytes_of(places.fifths), group, 1, quants);
    if (places.pairs != nullptr)
      add_upper_bits(bytes_of(places.pairs) + group / 4 * kVectorSize, group % 4 * 2, 3, quants);
  }
  return block;
}

void write_block(PackedLayout layout, const PanelBlock& block, std::byte* panel, std::uint32_t index) {
  const Places<std::byte> places = places_in(layout, panel, index);
  std::memcpy(places.scales, block.scales, sizeof(block.scales));
  if (places.minimums != nullptr) std::memcpy(places.minimums, block.minimums, sizeof(block.minimums));
  if (places.sub_scales != nullptr) std::memcpy(places.sub_scales, block.sub_scales, sizeof(block.sub_scales));
  if (places.bytes != nullptr) {
    std::memcpy(places.bytes, block.quants, kBytesSize);
    return;
  }
  std::uint8_t* nibbles = bytes_of(places.nibbles);
  for (std::size_t i = 0; i < kNibblesSize; ++i)
    nibbles[i] = static_cast<std::uint8_t>((block.quants[i] & 15U) | ((block.quants[kNibblesSize + i] & 15U) << 4));
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    const std::uint8_t* quants = block.quants + group * kVectorSize;
    if (places.fifths != nullptr) take_upper_bits(quants, group, 1, bytes_of(places.fifths));
    if (places.pairs != nullptr)
      take_upper_bits(quants, group % 4 * 2, 3, bytes_of(places.pairs) + group / 4 * kVectorSize);
  }
}

RowScale row_scale(PackedLayout layout, const PanelBlock& block, std::uint32_t row, std::uint32_t half) {
  const float d = f32_from_f16(block.scales[row]);
  const float m = f32_from_f16(block.minimums[row]);
  switch (layout) {
    case PackedLayout::u4_k:
    case PackedLayout::u5_k:
      return {d * static_cast<float>(block.sub_scales[0][row]), -m * static_cast<float>(block.sub_scales[1][row])};
    case PackedLayout::u6_k: {
      const float scale = d * static_cast<float>(static_cast<std::int8_t>(block.sub_scales[half][row]));
      return {scale, -32 * scale};
    }
    default:
      return {d, m};
  }
}

}  // namespace stint::kernels
