// How packed weights lie in memory; shared by packing and by the kernels of every tier. Constants and sizes only:
// everything here is constexpr. The layouts are drawn below.
#pragma once

#include <cstddef>
#include <cstdint>

// A matrix is cut into panels of 8 rows (the last one padded with zeros), a panel into blocks of 32 columns, one after
// another. A vector lane belongs to one row, so a kernel broadcasts four activations and multiplies them with eight
// rows at once. Group g (0-7) of a block are its columns 4g to 4g + 3; "vector of group g" is 32 bytes, 4 of each row
// in turn:
//
//     row 0: c 4g .. 4g+3 | row 1: c 4g .. 4g+3 | ... | row 7: c 4g .. 4g+3
//
// nibbles (128 bytes)  vector j (0-3): low nibbles are group j, high nibbles group j + 4
// fifths  (32 bytes)   fifth bits: bit g of a byte belongs to group g
// pairs   (64 bytes)   bits 5 and 6: vector h (0-1), bits 2j and 2j + 1 of a byte belong to group 4h + j
// bytes   (256 bytes)  vectors of groups 0 to 7
//
// clang-format off
//   u4_min  per block: 8 f16 d, 8 f16 m, nibbles            w = d q + m         Q4_0 (m = -8 d), Q4_1
//   u5_min  per block: 8 f16 d, 8 f16 m, nibbles, fifths    w = d q + m         Q5_0 (m = -16 d), Q5_1
//   s8      per block: 8 f16 d, bytes                       w = d q             Q8_0
//   u4_k    per 256: 8 f16 d, 8 f16 m;
//           per block: 8 u8 s, 8 u8 t, nibbles              w = d s q - m t     Q4_K
//   u5_k    the same with fifths after the nibbles          w = d s q - m t     Q5_K
//   u6_k    per 256: 8 f16 d; per block: 8 i8 s of columns
//           0-15, 8 i8 s of columns 16-31, nibbles, pairs   w = d s (q - 32)    Q6_K
//   f32, f16, bf16   per column: one element of each of the 8 rows
// clang-format on

namespace stint::kernels {

enum class PackedLayout : std::uint8_t { u4_min, u5_min, s8, u4_k, u5_k, u6_k, f32, f16, bf16 };

inline constexpr std::uint32_t kPanelRows = 8;
inline constexpr std::uint32_t kBlockColumns = 32;
inline constexpr std::uint32_t kSuperColumns = 256;
inline constexpr std::uint32_t kSuperBlocks = kSuperColumns / kBlockColumns;

inline constexpr std::size_t kHalvesSize = 16;  // 8 f16
inline constexpr std::size_t kNibblesSize = 128;
inline constexpr std::size_t kFifthsSize = 32;
inline constexpr std::size_t kPairsSize = 64;
inline constexpr std::size_t kBytesSize = 256;
inline constexpr std::size_t kSubScalesSize = 16;  // 8 + 8 one-byte scales

inline constexpr std::size_t kU4MinSize = 2 * kHalvesSize + kNibblesSize;
inline constexpr std::size_t kU5MinSize = kU4MinSize + kFifthsSize;
inline constexpr std::size_t kS8Size = kHalvesSize + kBytesSize;
inline constexpr std::size_t kU4KBlockSize = kSubScalesSize + kNibblesSize;
inline constexpr std::size_t kU5KBlockSize = kU4KBlockSize + kFifthsSize;
inline constexpr std::size_t kU6KBlockSize = kSubScalesSize + kNibblesSize + kPairsSize;

// Bytes of one panel of `columns` columns.
constexpr std::size_t panel_size(PackedLayout layout, std::uint32_t columns) {
  const std::size_t blocks = columns / kBlockColumns;
  const std::size_t supers = columns / kSuperColumns;
  switch (layout) {
    case PackedLayout::u4_min:
      return blocks * kU4MinSize;
    case PackedLayout::u5_min:
      return blocks * kU5MinSize;
    case PackedLayout::s8:
      return blocks * kS8Size;
    case PackedLayout::u4_k:
      return supers * (2 * kHalvesSize + kSuperBlocks * kU4KBlockSize);
    case PackedLayout::u5_k:
      return supers * (2 * kHalvesSize + kSuperBlocks * kU5KBlockSize);
    case PackedLayout::u6_k:
      return supers * (kHalvesSize + kSuperBlocks * kU6KBlockSize);
    case PackedLayout::f32:
      return std::size_t{columns} * kPanelRows * 4;
    case PackedLayout::f16:
    case PackedLayout::bf16:
      return std::size_t{columns} * kPanelRows * 2;
  }
  return 0;
}

// f32 activations instead of quantised ones.
constexpr bool is_dense(PackedLayout layout) {
  return layout >= PackedLayout::f32;
}

}  // namespace stint::kernels
