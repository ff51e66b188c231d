// Quantises float weights into GGUF's block formats, by plain rounding: the models made with it need honest blocks, not
// the best ones. Pure functions. Layouts: ggml's block_q4_0 ... block_q6_K.
#pragma once

#include <span>
#include <string>

#include "engine/gguf/tensor_type.h"

namespace stint::fakes {

// The file's bytes of `weights`. Requires whole blocks: weights.size() % gguf::block_count(type) == 0.
std::string quantise(std::span<const float> weights, gguf::TensorType type);

}  // namespace stint::fakes
