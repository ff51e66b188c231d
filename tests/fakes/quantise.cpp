#include "tests/fakes/quantise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "platform/base/assert.h"
#include "tests/fakes/gguf_writer.h"

namespace stint::fakes {
namespace {

using gguf::TensorType;
using Floats = std::span<const float>;

std::uint16_t half_bits(float value) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
}
float through_half(float value) {
  return static_cast<float>(static_cast<_Float16>(value));
}

// Round to nearest, ties to even, as converters do.
std::uint16_t brain_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// round(value / step) within [low, high]; 0 (or the nearest bound) when step is 0.
int to_level(float value, float step, int low, int high) {
  const float level = step == 0 ? 0 : std::nearbyint(value / step);
  return static_cast<int>(std::clamp(level, static_cast<float>(low), static_cast<float>(high)));
}

float value_of_largest_magnitude(Floats block) {
  return *std::ranges::max_element(block, {}, [](float value) { return std::abs(value); });
}

void append_half(std::string& out, float value) {
  append_encoded(out, half_bits(value));
}

// Q5_0, Q5_1: the fifth bits of the 32 levels as one u32.
void append_fifth_bits(std::string& out, const std::array<int, 32>& levels) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 32; ++i) bits |= static_cast<std::uint32_t>(levels[i] >> 4) << i;
  append_encoded(out, bits);
}

// Level i in the low nibble of byte i, level i + 16 in the high one.
void append_nibbles(std::string& out, const std::array<int, 32>& levels) {
  for (std::size_t i = 0; i < 16; ++i) {
    out.push_back(static_cast<char>((levels[i] & 15) | ((levels[i + 16] & 15) << 4)));
  }
}

// Q4_0 and Q5_0: w = (level - half range) * d.
void append_symmetric(std::string& out, Floats block, int bits) {
  const int half_range = 1 << (bits - 1);
  const float d = through_half(value_of_largest_magnitude(block) / static_cast<float>(-half_range));
  std::array<int, 32> levels{};
  for (std::size_t i = 0; i < 32; ++i) {
    levels[i] = to_level(block[i], d, -half_range, half_range - 1) + half_range;
  }
  append_half(out, d);
  if (bits == 5) append_fifth_bits(out, levels);
  append_nibbles(out, levels);
}

// Q4_1 and Q5_1: w = level * d + m.
void append_affine(std::string& out, Floats block, int bits) {
  const auto [low, high] = std::ranges::minmax(block);
  const int level_max = (1 << bits) - 1;
  const float d = through_half((high - low) / static_cast<float>(level_max));
  const float m = through_half(low);
  std::array<int, 32> levels{};
  for (std::size_t i = 0; i < 32; ++i) levels[i] = to_level(block[i] - m, d, 0, level_max);
  append_half(out, d);
  append_half(out, m);
  if (bits == 5) append_fifth_bits(out, levels);
  append_nibbles(out, levels);
}

void append_q8_0(std::string& out, Floats block) {
  const float d = through_half(std::abs(value_of_largest_magnitude(block)) / 127);
  append_half(out, d);
  for (const float weight : block) out.push_back(static_cast<char>(to_level(weight, d, -127, 127)));
}

// Eight 6-bit scales and minimums in 12 bytes: the first four of each whole, the last four split into low 4 and high 2
// bits.
void append_six_bit_pairs(std::string& out, const std::array<int, 8>& scales, const std::array<int, 8>& minimums) {
  std::array<int, 12> packed{};
  for (std::size_t j = 0; j < 4; ++j) {
    packed[j] = scales[j] | ((scales[j + 4] >> 4) << 6);
    packed[j + 4] = minimums[j] | ((minimums[j + 4] >> 4) << 6);
    packed[j + 8] = (scales[j + 4] & 15) | ((minimums[j + 4] & 15) << 4);
  }
  for (const int byte : packed) out.push_back(static_cast<char>(byte));
}

// Q4_K and Q5_K: w = d * scale * level - dmin * minimum, in sub-blocks of 32.
void append_affine_k(std::string& out, Floats block, int bits) {
  const int level_max = (1 << bits) - 1;
  std::array<float, 8> steps{};
  std::array<float, 8> lows{};
  for (std::size_t j = 0; j < 8; ++j) {
    const auto [low, high] = std::ranges::minmax(block.subspan(j * 32, 32));
    lows[j] = std::max(0.0F, -low);
    steps[j] = std::max(0.0F, high + lows[j]) / static_cast<float>(level_max);
  }
  const float d = through_half(std::ranges::max(steps) / 63);
  const float dmin = through_half(std::ranges::max(lows) / 63);
  std::array<int, 8> scales{};
  std::array<int, 8> minimums{};
  std::array<int, 256> levels{};
  for (std::size_t j = 0; j < 8; ++j) {
    scales[j] = to_level(steps[j], d, 0, 63);
    minimums[j] = to_level(lows[j], dmin, 0, 63);
    const float step = d * static_cast<float>(scales[j]);
    const float low = dmin * static_cast<float>(minimums[j]);
    for (std::size_t i = j * 32; i < j * 32 + 32; ++i) levels[i] = to_level(block[i] + low, step, 0, level_max);
  }
  append_half(out, d);
  append_half(out, dmin);
  append_six_bit_pairs(out, scales, minimums);
  if (bits == 5) {
    for (std::size_t i = 0; i < 32; ++i) {
      int fifth = 0;
      for (std::size_t j = 0; j < 8; ++j) fifth |= (levels[j * 32 + i] >> 4) << j;
      out.push_back(static_cast<char>(fifth));
    }
  }
  for (std::size_t chunk = 0; chunk < 256; chunk += 64) {
    for (std::size_t i = chunk; i < chunk + 32; ++i) {
      out.push_back(static_cast<char>((levels[i] & 15) | ((levels[i + 32] & 15) << 4)));
    }
  }
}

// Q6_K: w = d * scale * (level - 32), in sub-blocks of 16.
void append_q6_k(std::string& out, Floats block) {
  std::array<float, 16> steps{};
  for (std::size_t j = 0; j < 16; ++j) steps[j] = value_of_largest_magnitude(block.subspan(j * 16, 16)) / -32;
  const float d = through_half(std::abs(value_of_largest_magnitude(steps)) / 127);
  std::array<int, 16> scales{};
  std::array<int, 256> levels{};
  for (std::size_t j = 0; j < 16; ++j) {
    scales[j] = to_level(steps[j], d, -127, 127);
    const float step = d * static_cast<float>(scales[j]);
    for (std::size_t i = j * 16; i < j * 16 + 16; ++i) levels[i] = to_level(block[i], step, -32, 31) + 32;
  }
  for (const std::size_t half : {std::size_t{0}, std::size_t{128}}) {
    for (std::size_t i = half; i < half + 64; ++i) {
      out.push_back(static_cast<char>((levels[i] & 15) | ((levels[i + 64] & 15) << 4)));
    }
  }
  for (const std::size_t half : {std::size_t{0}, std::size_t{128}}) {
    for (std::size_t i = half; i < half + 32; ++i) {
      int high = 0;
      for (std::size_t part = 0; part < 4; ++part) high |= (levels[i + 32 * part] >> 4) << (2 * part);
      out.push_back(static_cast<char>(high));
    }
  }
  for (const int scale : scales) out.push_back(static_cast<char>(scale));
  append_half(out, d);
}

void append_block(std::string& out, Floats block, TensorType type) {
  switch (type) {
    case TensorType::f32:
      return append_encoded(out, block[0]);
    case TensorType::f16:
      return append_half(out, block[0]);
    case TensorType::bf16:
      return append_encoded(out, brain_bits(block[0]));
    case TensorType::q4_0:
      return append_symmetric(out, block, 4);
    case TensorType::q5_0:
      return append_symmetric(out, block, 5);
    case TensorType::q4_1:
      return append_affine(out, block, 4);
    case TensorType::q5_1:
      return append_affine(out, block, 5);
    case TensorType::q8_0:
      return append_q8_0(out, block);
    case TensorType::q4_k:
      return append_affine_k(out, block, 4);
    case TensorType::q5_k:
      return append_affine_k(out, block, 5);
    case TensorType::q6_k:
      return append_q6_k(out, block);
  }
}

}  // namespace

std::string quantise(Floats weights, TensorType type) {
  const std::size_t block_count = gguf::block_count(type);
  STINT_ASSERT(weights.size() % block_count == 0);
  std::string out;
  out.reserve(weights.size() / block_count * gguf::block_size(type));
  for (std::size_t i = 0; i < weights.size(); i += block_count)
    append_block(out, weights.subspan(i, block_count), type);
  return out;
}

}  // namespace stint::fakes
