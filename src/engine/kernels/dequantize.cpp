// Block layouts (f16 scales d and minimums m, little endian; w[i] is element i of the block):
//   Q4_0  d, 16 bytes: byte j = w[j] low nibble, w[j + 16] high             (q - 8) d
//   Q4_1  d, m, the same                                                    q d + m
//   Q5_0  d, u32 of fifth bits (bit i: w[i]), 16 bytes as Q4_0              (q - 16) d
//   Q5_1  d, m, the same                                                    q d + m
//   Q8_0  d, 32 signed bytes                                                q d
//   Q4_K  d, dmin, 12 bytes of 6-bit scales and minimums, 128 bytes: each 32 hold two sub-blocks of 32 (low, high
//   nibbles) Q5_K  as Q4_K with 32 bytes of fifth bits before the nibbles: bit s of byte l belongs to element l of
//   sub-block s Q6_K  128 bytes of low nibbles, 64 of upper bit pairs, 16 signed scales of 16 elements, d
#include <array>
#include <cstring>

#include "engine/kernels/half.h"
#include "engine/kernels/k_scales.h"
#include "engine/kernels/weight_type.h"

namespace stint::kernels {

namespace {

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

float load_f16(const std::byte* from) {
  return f32_from_f16(load<std::uint16_t>(from));
}
std::uint32_t byte_at(const std::byte* from, std::size_t index) {
  return static_cast<std::uint32_t>(from[index]);
}

// 32 elements; `fifth` holds a fifth bit for each.
void dequantize_nibbles(const std::byte* nibbles, std::uint32_t fifth, float scale, float offset, float* out) {
  for (std::uint32_t j = 0; j < 16; ++j) {
    const std::uint32_t low = (byte_at(nibbles, j) & 15U) | (((fifth >> j) & 1U) << 4);
    const std::uint32_t high = (byte_at(nibbles, j) >> 4) | (((fifth >> (j + 16)) & 1U) << 4);
    out[j] = static_cast<float>(low) * scale + offset;
    out[j + 16] = static_cast<float>(high) * scale + offset;
  }
}

void dequantize_q4_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  dequantize_nibbles(block + 2, 0, d, -8 * d, out);
}

void dequantize_q4_1(const std::byte* block, float* out) {
  dequantize_nibbles(block + 4, 0, load_f16(block), load_f16(block + 2), out);
}

void dequantize_q5_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  dequantize_nibbles(block + 6, load<std::uint32_t>(block + 2), d, -16 * d, out);
}

void dequantize_q5_1(const std::byte* block, float* out) {
  dequantize_nibbles(block + 8, load<std::uint32_t>(block + 4), load_f16(block), load_f16(block + 2), out);
}

void dequantize_q8_0(const std::byte* block, float* out) {
  const float d = load_f16(block);
  for (std::size_t j = 0; j < 32; ++j) out[j] = static_cast<float>(load<std::int8_t>(block + 2 + j)) * d;
}

// Q4_K and Q5_K: `fifth` is null or the 32 bytes of fifth bits.
void dequantize_k(const std::byte* block, const std::byte* fifth, const std::byte* nibbles, float* out) {
  const float d = load_f16(block);
  const float dmin = load_f16(block + 2);
  for (std::uint32_t sub = 0; sub < 8; ++sub) {
    const KScale k = k_scale(block + 4, sub);
    const float scale = d * static_cast<float>(k.scale);
    const float offset = -dmin * static_cast<float>(k.minimum);
    for (std::uint32_t l = 0; l < 32; ++l) {
      const std::uint32_t pair = byte_at(nibbles, (sub / 2) * 32 + l);
      std::uint32_t q = sub % 2 == 0 ? pair & 15U : pair >> 4;
      if (fifth != nullptr) q |= ((byte_at(fifth, l) >> sub) & 1U) << 4;
      out[sub * 32 + l] = static_cast<float>(q) * scale + offset;
    }
  }
}

void dequantize_q4_k(const std::byte* block, float* out) {
  dequantize_k(block, nullptr, block + 16, out);
}
void dequantize_q5_k(const std::byte* block, float* out) {
  dequantize_k(block, block + 16, block + 48, out);
}

void dequantize_q6_k(const std::byte* block, float* out) {
  const float d = load_f16(block + 208);
  for (std::uint32_t i = 0; i < 256; ++i) {
    const auto scale = static_cast<float>(load<std::int8_t>(block + 192 + i / 16));
    out[i] = d * scale * static_cast<float>(static_cast<std::int32_t>(q6_k_quant(block, i)) - 32);
  }
}

void dequantize_block(WeightType type, const std::byte* block, float* out) {
  switch (type) {
    case WeightType::f32:
      *out = load<float>(block);
      return;
    case WeightType::f16:
      *out = load_f16(block);
      return;
    case WeightType::bf16:
      *out = f32_from_bf16(load<std::uint16_t>(block));
      return;
    case WeightType::q4_0:
      return dequantize_q4_0(block, out);
    case WeightType::q4_1:
      return dequantize_q4_1(block, out);
    case WeightType::q5_0:
      return dequantize_q5_0(block, out);
    case WeightType::q5_1:
      return dequantize_q5_1(block, out);
    case WeightType::q8_0:
      return dequantize_q8_0(block, out);
    case WeightType::q4_k:
      return dequantize_q4_k(block, out);
    case WeightType::q5_k:
      return dequantize_q5_k(block, out);
    case WeightType::q6_k:
      return dequantize_q6_k(block, out);
  }
}

struct TypeFacts {
  BlockShape shape;
  std::string_view name;
};

constexpr std::array<TypeFacts, 11> kFacts{{{{1, 4}, "F32"},
                                            {{1, 2}, "F16"},
                                            {{1, 2}, "BF16"},
                                            {{32, 18}, "Q4_0"},
                                            {{32, 20}, "Q4_1"},
                                            {{32, 22}, "Q5_0"},
                                            {{32, 24}, "Q5_1"},
                                            {{32, 34}, "Q8_0"},
                                            {{256, 144}, "Q4_K"},
                                            {{256, 176}, "Q5_K"},
                                            {{256, 210}, "Q6_K"}}};

}  // namespace

BlockShape block_shape(WeightType type) {
  return kFacts[static_cast<std::size_t>(type)].shape;
}

std::string_view to_string(WeightType type) {
  return kFacts[static_cast<std::size_t>(type)].name;
}

std::size_t row_size(WeightType type, std::uint32_t count) {
  const BlockShape shape = block_shape(type);
  return static_cast<std::size_t>(count / shape.count) * shape.size;
}

void dequantize_row(WeightType type, const std::byte* row, std::uint32_t count, float* out) {
  const BlockShape shape = block_shape(type);
  for (std::uint32_t i = 0; i < count; i += shape.count, row += shape.size) dequantize_block(type, row, out + i);
}

}  // namespace stint::kernels
