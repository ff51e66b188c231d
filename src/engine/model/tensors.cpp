#include "engine/model/tensors.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace stint::model {

namespace {

kernels::WeightType weight_type(gguf::TensorType type) {
  switch (type) {
    case gguf::TensorType::f32:
      return kernels::WeightType::f32;
    case gguf::TensorType::f16:
      return kernels::WeightType::f16;
    case gguf::TensorType::bf16:
      return kernels::WeightType::bf16;
    case gguf::TensorType::q4_0:
      return kernels::WeightType::q4_0;
    case gguf::TensorType::q4_1:
      return kernels::WeightType::q4_1;
    case gguf::TensorType::q5_0:
      return kernels::WeightType::q5_0;
    case gguf::TensorType::q5_1:
      return kernels::WeightType::q5_1;
    case gguf::TensorType::q8_0:
      return kernels::WeightType::q8_0;
    case gguf::TensorType::q4_k:
      return kernels::WeightType::q4_k;
    case gguf::TensorType::q5_k:
      return kernels::WeightType::q5_k;
    case gguf::TensorType::q6_k:
      return kernels::WeightType::q6_k;
  }
  return kernels::WeightType::f32;
}

// Looks tensors up, remembers which were used, and keeps the first error.
class Binder {
 public:
  explicit Binder(const gguf::File& file) : file_(file) {}

  // ne[0] = columns, ne[1] = rows.
  MatrixSource matrix(std::string_view name, std::uint32_t columns, std::uint32_t rows) {
    const gguf::Tensor* tensor = required(name);
    if (tensor == nullptr || !has_shape(*tensor, columns, rows)) return {};
    return {tensor, weight_type(tensor->type), rows, columns, tensor->bytes.data(), tensor->row_size};
  }

  std::vector<float> vector(std::string_view name, std::uint32_t count) {
    const gguf::Tensor* tensor = required(name);
    return tensor == nullptr ? std::vector<float>() : values(*tensor, count);
  }

  std::vector<float> optional_vector(std::string_view name, std::uint32_t count) {
    return has(name) ? vector(name, count) : std::vector<float>();
  }

  bool has(std::string_view name) const { return file_.find_tensor(name) != nullptr; }

  std::optional<Error> finish() {
    if (error_) return error_;
    for (const gguf::Tensor& tensor : file_.tensors()) {
      if (used_.contains(tensor.name)) continue;
      return Error{
          ErrorKind::unsupported,
          fmt::format("{}: tensor {} is not part of the architectures this engine computes; use a model without it.",
                      file_.name(), tensor.name),
          {},
          {}};
    }
    return std::nullopt;
  }

 private:
  const gguf::Tensor* required(std::string_view name) {
    const Result<const gguf::Tensor*> tensor = file_.tensor(name);
    if (!tensor) return keep(tensor.error()), nullptr;
    used_.insert((*tensor)->name);
    return *tensor;
  }

  bool has_shape(const gguf::Tensor& tensor, std::uint64_t columns, std::uint64_t rows) {
    if (tensor.ne[0] == columns && tensor.ne[1] == rows && tensor.ne[2] == 1 && tensor.ne[3] == 1) return true;
    keep(Error{ErrorKind::corrupt,
               fmt::format("{}: tensor {} has shape [{}]; the model's metadata ask for [{}, {}].", file_.name(),
                           tensor.name, fmt::join(tensor.ne, ", "), columns, rows),
               {},
               {}});
    return false;
  }

  std::vector<float> values(const gguf::Tensor& tensor, std::uint32_t count) {
    if (!has_shape(tensor, count, 1)) return {};
    std::vector<float> values(count);
    kernels::dequantize_row(weight_type(tensor.type), tensor.bytes.data(), count, values.data());
    return values;
  }

  void keep(Error error) {
    if (!error_) error_ = std::move(error);
  }

  const gguf::File& file_;
  std::set<std::string_view> used_;
  std::optional<Error> error_;
};

MatrixSource rows_of(const MatrixSource& whole, std::uint32_t first, std::uint32_t count) {
  MatrixSource part = whole;
  part.row_count = count;
  if (whole.bytes != nullptr) part.bytes = whole.bytes + whole.row_size * first;
  return part;
}

std::vector<float> slice_of(const std::vector<float>& whole, std::uint32_t first, std::uint32_t count) {
  if (whole.empty()) return {};
  return {whole.begin() + first, whole.begin() + first + count};
}

void bind_query_key_value(Binder& binder, const std::string& layer, const Hyperparameters& h, LayerTensors& t) {
  const std::uint32_t q = h.query_size();
  const std::uint32_t kv = h.kv_size();
  if (binder.has(layer + "attn_qkv.weight")) {
    const MatrixSource fused = binder.matrix(layer + "attn_qkv.weight", h.embedding_size, q + 2 * kv);
    t.query = rows_of(fused, 0, q);
    t.key = rows_of(fused, q, kv);
    t.value = rows_of(fused, q + kv, kv);
    const std::vector<float> bias = binder.optional_vector(layer + "attn_qkv.bias", q + 2 * kv);
    t.query_bias = slice_of(bias, 0, q);
    t.key_bias = slice_of(bias, q, kv);
    t.value_bias = slice_of(bias, q + kv, kv);
    return;
  }
  t.query = binder.matrix(layer + "attn_q.weight", h.embedding_size, q);
  t.key = binder.matrix(layer + "attn_k.weight", h.embedding_size, kv);
  t.value = binder.matrix(layer + "attn_v.weight", h.embedding_size, kv);
  t.query_bias = binder.optional_vector(layer + "attn_q.bias", q);
  t.key_bias = binder.optional_vector(layer + "attn_k.bias", kv);
  t.value_bias = binder.optional_vector(layer + "attn_v.bias", kv);
}

LayerTensors bind_layer(Binder& binder, std::uint32_t index, const Hyperparameters& h) {
  const std::string layer = fmt::format("blk.{}.", index);
  LayerTensors t;
  t.attention_norm = binder.vector(layer + "attn_norm.weight", h.embedding_size);
  bind_query_key_value(binder, layer, h, t);
  if (h.query_key_norm) {
    t.query_norm = binder.vector(layer + "attn_q_norm.weight", h.head_size);
    t.key_norm = binder.vector(layer + "attn_k_norm.weight", h.head_size);
  }
  t.attention_output = binder.matrix(layer + "attn_output.weight", h.query_size(), h.embedding_size);
  t.feed_forward_norm = binder.vector(layer + "ffn_norm.weight", h.embedding_size);
  t.gate = binder.matrix(layer + "ffn_gate.weight", h.embedding_size, h.feed_forward_size);
  t.up = binder.matrix(layer + "ffn_up.weight", h.embedding_size, h.feed_forward_size);
  t.down = binder.matrix(layer + "ffn_down.weight", h.feed_forward_size, h.embedding_size);
  if (h.post_norm) {
    t.post_attention_norm = binder.vector(layer + "post_attention_norm.weight", h.embedding_size);
    t.post_feed_forward_norm = binder.vector(layer + "post_ffw_norm.weight", h.embedding_size);
  }
  return t;
}

}  // namespace

Result<Tensors> Tensors::bind(const gguf::File& file, const Hyperparameters& h) {
  Binder binder(file);
  Tensors tensors;
  tensors.embedding = binder.matrix("token_embd.weight", h.embedding_size, h.vocabulary_count);
  tensors.head = binder.has("output.weight") ? binder.matrix("output.weight", h.embedding_size, h.vocabulary_count)
                                             : tensors.embedding;
  tensors.output_norm = binder.vector("output_norm.weight", h.embedding_size);
  tensors.rope_divisors = binder.optional_vector("rope_freqs.weight", h.head_size / 2);
  for (std::uint32_t layer = 0; layer < h.layer_count; ++layer) tensors.layers.push_back(bind_layer(binder, layer, h));
  if (std::optional<Error> error = binder.finish()) return std::unexpected(std::move(*error));
  return tensors;
}

}  // namespace stint::model
