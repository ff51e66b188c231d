// The portable tier: the packed layouts and the arithmetic of the fast tiers in plain C++, for any CPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/half.h"
#include "engine/kernels/kernel_table.h"
#include "engine/kernels/panel_block.h"

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

// Integer dot products of 8 rows of weights with one row of activations, columns [16 half, 16 half + 16). Weight:
// int8_t or uint8_t.
template <typename Weight>
void dot_half(const PanelBlock& block, const std::int8_t* quants, std::uint32_t half, std::int32_t* sums) {
  for (std::uint32_t row = 0; row < kPanelRows; ++row) sums[row] = 0;
  for (std::uint32_t group = half * 4; group < half * 4 + 4; ++group) {
    for (std::uint32_t i = 0; i < kPanelRows * 4; ++i) {
      const auto weight = static_cast<Weight>(block.quants[group * kPanelRows * 4 + i]);
      sums[i / 4] += weight * quants[group * 4 + i % 4];
    }
  }
}

void dot_halves(PackedLayout layout, const PanelBlock& block, const std::int8_t* quants,
                std::int32_t (&sums)[2][kPanelRows]) {
  for (std::uint32_t half = 0; half < 2; ++half) {
    if (layout == PackedLayout::s8) {
      dot_half<std::int8_t>(block, quants, half, sums[half]);
    } else {
      dot_half<std::uint8_t>(block, quants, half, sums[half]);
    }
  }
}

// One block's addition to 8 outputs of one row.
void add_block(PackedLayout layout, const PanelBlock& block, const ActivationRows& rows, std::uint32_t row,
               std::uint32_t index, float* totals) {
  std::int32_t sums[2][kPanelRows];
  dot_halves(layout, block, rows.quants(row) + index * kBlockColumns, sums);
  const float scale = rows.scales(row)[index];
  for (std::uint32_t n = 0; n < kPanelRows; ++n) {
    if (layout == PackedLayout::u6_k) {
      std::int32_t sum = 0;
      for (std::uint32_t half = 0; half < 2; ++half) {
        const std::int32_t centred = sums[half][n] - 32 * rows.half_sums(row)[2 * index + half];
        sum += centred * static_cast<std::int8_t>(block.sub_scales[half][n]);
      }
      totals[n] += static_cast<float>(sum) * (f32_from_f16(block.scales[n]) * scale);
      continue;
    }
    const RowScale weight = row_scale(layout, block, n, 0);
    if (layout != PackedLayout::s8) totals[n] += weight.minimum * rows.sums(row)[index];
    totals[n] += static_cast<float>(sums[0][n] + sums[1][n]) * (weight.scale * scale);
  }
}

// One panel against every row; `count` of its rows exist.
void multiply_integer(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t panel, std::uint32_t count,
                      float* out, std::size_t stride) {
  constexpr std::uint32_t kTogether = 64;
  for (std::uint32_t first = 0; first < rows.row_count(); first += kTogether) {
    const std::uint32_t row_count = std::min(kTogether, rows.row_count() - first);
    float totals[kTogether][kPanelRows] = {};
    for (std::uint32_t index = 0; index < rows.block_count(); ++index) {
      const PanelBlock block = read_block(weights.layout(), weights.panel(panel), index);
      for (std::uint32_t row = 0; row < row_count; ++row)
        add_block(weights.layout(), block, rows, first + row, index, totals[row]);
    }
    for (std::uint32_t row = 0; row < row_count; ++row)
      std::copy_n(totals[row], count, out + (first + row) * stride + std::size_t{panel} * kPanelRows);
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
  for (std::uint32_t panel = panel_begin; panel < panel_end; ++panel) {
    const std::uint32_t count = std::min(kPanelRows, weights.row_count() - panel * kPanelRows);
    if (is_dense(weights.layout())) {
      for (std::uint32_t n = 0; n < count; ++n) multiply_dense(weights, rows, panel * kPanelRows + n, out, out_stride);
    } else {
      multiply_integer(weights, rows, panel, count, out, out_stride);
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

void halves_from_floats(const float* x, std::uint32_t count, std::uint16_t* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = f16_from_f32(x[i]);
}

}  // namespace

void attend_portable(const AttentionJob& job);

const KernelTable& portable_kernels() {
  static constexpr KernelTable kTable{Tier::portable, rms_norm,        quantize,          multiply,
                                      apply_gate,     attend_portable, halves_from_floats};
  return kTable;
}

}  // namespace stint::kernels
