// KernelTable: the functions in which a step's time is spent, once for each tier. Pure functions over borrowed memory;
// any number of threads. Every reduction has one order that depends on the row alone: a row's result is the same bits
// whatever rows, workers or chunks surround it. NaN and infinity pass through as numbers do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/activation_rows.h"
#include "engine/kernels/attention_job.h"
#include "engine/kernels/packed_matrix.h"
#include "engine/kernels/tier.h"

namespace stint::kernels {

enum class GateFunction : std::uint8_t { silu, gelu_tanh };

struct KernelTable {
  Tier tier;

  // out = x / sqrt(mean(x^2) + epsilon) * weight; out may be x.
  void (*rms_norm)(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out);

  // Blocks of 32: scale = max |x| / the best of kQuantGrids, quants rounded to nearest even; count / 32 blocks.
  void (*quantize)(const float* x, std::uint32_t count, const QuantizedRow& out);

  // out[row * out_stride + n] = weights[n] . rows[row], n over the rows of panels [begin, end) and every row. Integer
  // layouts read the quantised form, dense ones the f32 form.
  void (*multiply)(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t panel_begin,
                   std::uint32_t panel_end, float* out, std::size_t out_stride);

  // out = function(gate) * up; out may be gate.
  void (*apply_gate)(GateFunction function, const float* gate, const float* up, std::uint32_t count, float* out);

  void (*attend)(const AttentionJob& job);

  // f32 to f16, to nearest even.
  void (*halves_from_floats)(const float* x, std::uint32_t count, std::uint16_t* out);
};

// Null where is_available(tier) is false, and for reference, which is not made of kernels.
const KernelTable* find_kernels(Tier tier);

// The tables of one tier each; linked in where the compiler can build them, callable where the CPU can run them.
const KernelTable& portable_kernels();
#if defined(__x86_64__)
const KernelTable& avx2_kernels();
#endif

}  // namespace stint::kernels
