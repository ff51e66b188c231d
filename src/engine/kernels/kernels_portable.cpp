// The portable tier: the packed layouts and the arithmetic of the fast tiers in plain C++, for any CPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/block_parts.h"
#include "engine/kernels/half.h"
#include "engine/kernels/kernel_table.h"

namespace stint::kernels {

namespace {

void rms_norm(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out) {
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  const auto scale = static_cast<float>(1 / std::sqrt(sum / count + static_cast<double>(epsilon)));
  for (std::uint32_t i = 0; i < count; ++i) out[i] = x[i] * scale * weight[i];
}

float best_grid(const float* x, float highest) {
  float best = kQuantGrids[0];
  float least = std::numeric_limits<float>::infinity();
  for (const float grid : kQuantGrids) {
    float error = 0;
    for (std::uint32_t i = 0; i < kBlockColumns; ++i) {
      const float exact = x[i] * (grid / highest);
      const float rest = (exact - std::nearbyint(exact)) / grid;
      error += rest * rest;
    }
    if (error < least) {
      least = error;
      best = grid;
    }
  }
  return best;
}

void quantize_block(const float* x, const QuantizedRow& out, std::uint32_t block) {
  float highest = 0;
  for (std::uint32_t i = 0; i < kBlockColumns; ++i) highest = std::max(highest, std::fabs(x[i]));
  const float grid = best_grid(x, highest);
  const float scale = highest / grid;
  const float inverse = highest > 0 ? grid / highest : 0;
  int sums[2] = {0, 0};
  for (std::uint32_t i = 0; i < kBlockColumns; ++i) {
    const int quant = static_cast<int>(std::clamp(std::lrint(x[i] * inverse), -127L, 127L));
    out.quants[block * kBlockColumns + i] = static_cast<std::int8_t>(quant);
    sums[i / 16] += quant;
  }
  out.scales[block] = scale;
  out.sums[block] = scale * static_cast<float>(sums[0] + sums[1]);
  out.half_sums[2 * block] = static_cast<std::int16_t>(sums[0]);
  out.half_sums[2 * block + 1] = static_cast<std::int16_t>(sums[1]);
}

void quantize(const float* x, std::uint32_t count, const QuantizedRow& out) {
  for (std::uint32_t block = 0; block < count / kBlockColumns; ++block)
    quantize_block(x + block * kBlockColumns, out, block);
}

// Integer dot product of columns [16 half, 16 half + 16).
std::int32_t dot_half(PackedLayout layout, const BlockParts& parts, const std::int8_t* quants, std::uint32_t half) {
  std::int32_t sum = 0;
  for (std::uint32_t i = half * 16; i < half * 16 + 16; ++i) {
    const std::int32_t weight =
        layout == PackedLayout::s8 ? static_cast<std::int8_t>(parts.quants[i]) : parts.quants[i];
    sum += weight * quants[i];
  }
  return sum;
}

float block_product(PackedLayout layout, const BlockParts& parts, const ActivationRows& rows, std::uint32_t row,
                    std::uint32_t block) {
  const std::int8_t* quants = rows.quants(row) + block * kBlockColumns;
  const float scale = rows.scales(row)[block];
  std::int32_t low = dot_half(layout, parts, quants, 0);
  std::int32_t high = dot_half(layout, parts, quants, 1);
  if (layout == PackedLayout::u6_k) {
    low = (low - 32 * rows.half_sums(row)[2 * block]) * static_cast<std::int8_t>(parts.sub_scales[0]);
    high = (high - 32 * rows.half_sums(row)[2 * block + 1]) * static_cast<std::int8_t>(parts.sub_scales[1]);
    return static_cast<float>(low + high) * (f32_from_f16(parts.scale) * scale);
  }
  const BlockScale weight = block_scale(layout, parts, 0);
  const float product = static_cast<float>(low + high) * (weight.scale * scale);
  return layout == PackedLayout::s8 ? product : weight.minimum * rows.sums(row)[block] + product;
}

void multiply_integer(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t n, float* out,
                      std::size_t stride) {
  const std::byte* panel = weights.panel(n / kPanelRows);
  for (std::uint32_t row = 0; row < rows.row_count(); ++row) out[row * stride + n] = 0;
  for (std::uint32_t block = 0; block < rows.block_count(); ++block) {
    const BlockParts parts = parts_from_panel(weights.layout(), panel, n % kPanelRows, block);
    for (std::uint32_t row = 0; row < rows.row_count(); ++row)
      out[row * stride + n] += block_product(weights.layout(), parts, rows, row, block);
  }
}

float dense_weight(PackedLayout layout, const std::byte* panel, std::size_t element) {
  float value = 0;
  std::uint16_t half = 0;
  if (layout == PackedLayout::f32) {
    std::memcpy(&value, panel + 4 * element, sizeof(value));
    return value;
  }
  std::memcpy(&half, panel + 2 * element, sizeof(half));
  return layout == PackedLayout::f16 ? f32_from_f16(half) : f32_from_bf16(half);
}

void multiply_dense(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t n, float* out,
                    std::size_t stride) {
  const std::byte* panel = weights.panel(n / kPanelRows);
  for (std::uint32_t row = 0; row < rows.row_count(); ++row) out[row * stride + n] = 0;
  for (std::uint32_t column = 0; column < weights.column_count(); ++column) {
    const float weight = dense_weight(weights.layout(), panel, std::size_t{column} * kPanelRows + n % kPanelRows);
    for (std::uint32_t row = 0; row < rows.row_count(); ++row)
      out[row * stride + n] += weight * rows.values(row)[column];
  }
}

void multiply(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t panel_begin,
              std::uint32_t panel_end, float* out, std::size_t out_stride) {
  const std::uint32_t end = std::min(panel_end * kPanelRows, weights.row_count());
  for (std::uint32_t n = panel_begin * kPanelRows; n < end; ++n) {
    if (is_dense(weights.layout())) {
      multiply_dense(weights, rows, n, out, out_stride);
    } else {
      multiply_integer(weights, rows, n, out, out_stride);
    }
  }
}

float gate_value(GateFunction function, float x) {
  if (function == GateFunction::silu) return x / (1 + std::exp(-x));
  constexpr float kSqrtTwoOverPi = 0.797884561f;
  return 0.5f * x * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715f * x * x * x)));
}

void apply_gate(GateFunction function, const float* gate, const float* up, std::uint32_t count, float* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = gate_value(function, gate[i]) * up[i];
}

}  // namespace

void attend_portable(const AttentionJob& job);

const KernelTable& portable_kernels() {
  static constexpr KernelTable kTable{Tier::portable, rms_norm, quantize, multiply, apply_gate, attend_portable};
  return kTable;
}

}  // namespace stint::kernels
