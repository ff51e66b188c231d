// Tensors: every tensor of a model file bound to its part in the architecture, names, types and shapes checked, so that
// the forward pass indexes without looking. Borrows the matrices' bytes from the file; owns copies of the small
// vectors. Immutable after bind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gguf/file.h"
#include "engine/kernels/weight_type.h"
#include "engine/model/hyperparameters.h"
#include "platform/base/result.h"

namespace stint::model {

// Rows of one tensor of the file, or of a part of it: q, k and v of a fused attn_qkv.
struct MatrixSource {
  const gguf::Tensor* tensor = nullptr;
  kernels::WeightType type = kernels::WeightType::f32;
  std::uint32_t row_count = 0;     // outputs
  std::uint32_t column_count = 0;  // inputs
  const std::byte* bytes = nullptr;
  std::size_t row_size = 0;
};

// Vectors are empty where the architecture or the file has none.
struct LayerTensors {
  std::vector<float> attention_norm;
  MatrixSource query, key, value;
  std::vector<float> query_bias, key_bias, value_bias;
  std::vector<float> query_norm, key_norm;  // [head_size]
  MatrixSource attention_output;
  std::vector<float> post_attention_norm;
  std::vector<float> feed_forward_norm;
  MatrixSource gate, up, down;
  std::vector<float> post_feed_forward_norm;
};

struct Tensors {
  MatrixSource embedding;
  MatrixSource head;  // the embedding again where the file has no output.weight
  std::vector<float> output_norm;
  std::vector<float> rope_divisors;  // [head_size / 2], or empty
  std::vector<LayerTensors> layers;

  bool tied_head() const { return head.tensor == embedding.tensor; }

  // Errors: corrupt (a tensor is missing, or has another shape than the metadata say: names both), unsupported (a
  // tensor this architecture has no use for: computing without it would give wrong answers).
  static Result<Tensors> bind(const gguf::File& file, const Hyperparameters& h);
};

}  // namespace stint::model
