// The functions of the AVX2 tier that make up its table; each stands in its own *_avx2.cpp, compiled with -mavx2 -mfma
// -mf16c. Contracts: kernel_table.h.
#pragma once

#include "engine/kernels/kernel_table.h"

namespace stint::kernels::avx2 {

void rms_norm(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out);
void quantize(const float* x, std::uint32_t count, const QuantizedRow& out);
void multiply(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t panel_begin,
              std::uint32_t panel_end, float* out, std::size_t out_stride);
void apply_gate(GateFunction function, const float* gate, const float* up, std::uint32_t count, float* out);
void attend(const AttentionJob& job);
void halves_from_floats(const float* x, std::uint32_t count, std::uint16_t* out);

}  // namespace stint::kernels::avx2
