// The arithmetic of the reference path, one function a formula. Pure, thread-safe. Vectors are `count` floats.
#pragma once

#include <cstdint>

#include "engine/model/hyperparameters.h"

namespace stint::model {

// f32 products in runs of 128, the runs summed in double.
double dot(const float* a, const float* b, std::uint32_t count);

// out = x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich, 2019). `out` may be `x`.
void rms_norm(const float* x, const float* weight, std::uint32_t count, float epsilon, float* out);

// In place; scores become weights that sum to 1.
void softmax(double* scores, std::uint32_t count);

// gate = activation(gate) * up.
void gate_activation(Activation activation, float* gate, const float* up, std::uint32_t count);

}  // namespace stint::model
