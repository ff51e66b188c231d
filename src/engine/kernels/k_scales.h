// The bit puzzles of the K types, in one place for dequantisation and packing. Pure functions; layouts in
// dequantize.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stint::kernels {

struct KScale {
  std::uint8_t scale = 0;    // 6 bits
  std::uint8_t minimum = 0;  // 6 bits
};

// Scale and minimum of sub-block `sub` (0-7) out of the 12 bytes of a Q4_K or Q5_K block: the first four lie whole in
// bytes 0-3 and 4-7, the others have their low nibbles in bytes 8-11 and their upper two bits at the top of the first
// eight.
inline KScale k_scale(const std::byte* scales, std::uint32_t sub) {
  const auto at = [scales](std::uint32_t index) { return static_cast<std::uint32_t>(scales[index]); };
  if (sub < 4) return {static_cast<std::uint8_t>(at(sub) & 63U), static_cast<std::uint8_t>(at(sub + 4) & 63U)};
  return {static_cast<std::uint8_t>((at(sub + 4) & 15U) | ((at(sub - 4) >> 6) << 4)),
          static_cast<std::uint8_t>((at(sub + 4) >> 4) | ((at(sub) >> 6) << 4))};
}

// Element i (0-255) of a Q6_K block, 0-63. Each half of 128 has 64 bytes of nibbles, whose low ones are its first 64
// elements, and 32 bytes of bit pairs, one pair for each of its four quarters.
inline std::uint32_t q6_k_quant(const std::byte* block, std::uint32_t i) {
  const std::uint32_t half = i / 128;
  const std::uint32_t quarter = i / 32 % 4;
  const auto nibbles = static_cast<std::uint32_t>(block[half * 64 + i % 64]);
  const auto pairs = static_cast<std::uint32_t>(block[128 + half * 32 + i % 32]);
  const std::uint32_t low = quarter < 2 ? nibbles & 15U : nibbles >> 4;
  return low | (((pairs >> (2 * quarter)) & 3U) << 4);
}

}  // namespace stint::kernels
