#include "tests/fakes/random_gguf.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "platform/base/random.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/quantise.h"
#include "tests/fakes/small_vocabulary.h"

namespace stint::fakes {
namespace {

using gguf::TensorType;

constexpr std::array<std::pair<std::string_view, RandomModel>, 5> kNames{{{"llama", RandomModel::llama},
                                                                          {"llama3", RandomModel::llama3},
                                                                          {"qwen2", RandomModel::qwen2},
                                                                          {"qwen3", RandomModel::qwen3},
                                                                          {"gemma3", RandomModel::gemma3}}};

// Rows are multiples of 256, so that K types fit.
struct Shape {
  std::string_view architecture;
  SmallVocabulary vocabulary = SmallVocabulary::smollm;
  std::uint32_t layer_count = 2;
  std::uint32_t embedding_size = 256;
  std::uint32_t feed_forward_size = 512;
  std::uint32_t head_count = 4;
  std::uint32_t kv_head_count = 2;
  std::uint32_t head_size = 64;
  float rope_base = 10000;
  float epsilon = 1e-5F;
  bool tied = true;  // the embedding is also the output matrix
  bool attention_bias = false;
  bool head_norms = false;  // RMS norm of every query and key head
  bool post_norms = false;
  bool rope_divisors = false;
  std::uint32_t sliding_window = 0;
};

Shape shape_of(RandomModel model) {
  Shape shape;
  switch (model) {
    case RandomModel::llama:
      shape.architecture = "llama";
      break;
    case RandomModel::llama3:
      shape.architecture = "llama";
      shape.vocabulary = SmallVocabulary::llama_bpe;
      shape.rope_base = 500000;
      shape.tied = false;
      shape.rope_divisors = true;
      break;
    case RandomModel::qwen2:
      shape.architecture = "qwen2";
      shape.vocabulary = SmallVocabulary::qwen2;
      shape.rope_base = 1e6F;
      shape.epsilon = 1e-6F;
      shape.tied = false;
      shape.attention_bias = true;
      break;
    case RandomModel::qwen3:
      shape.architecture = "qwen3";
      shape.vocabulary = SmallVocabulary::qwen2;
      shape.head_size = 128;  // the heads together are wider than the embedding
      shape.rope_base = 1e6F;
      shape.epsilon = 1e-6F;
      shape.tied = false;
      shape.head_norms = true;
      break;
    case RandomModel::gemma3:
      shape.architecture = "gemma3";
      shape.vocabulary = SmallVocabulary::gemma;
      shape.layer_count = 7;
      shape.kv_head_count = 1;
      shape.head_size = 128;
      shape.rope_base = 1e6F;
      shape.epsilon = 1e-6F;
      shape.head_norms = true;
      shape.post_norms = true;
      shape.sliding_window = 32;
      break;
  }
  return shape;
}

// general.file_type of llama.cpp for a file made wholly of this type.
std::uint32_t file_type(TensorType type) {
  switch (type) {
    case TensorType::f32:
      return 0;
    case TensorType::f16:
      return 1;
    case TensorType::q4_0:
      return 2;
    case TensorType::q4_1:
      return 3;
    case TensorType::q8_0:
      return 7;
    case TensorType::q5_0:
      return 8;
    case TensorType::q5_1:
      return 9;
    case TensorType::q4_k:
      return 15;
    case TensorType::q5_k:
      return 17;
    case TensorType::q6_k:
      return 18;
    case TensorType::bf16:
      return 32;
  }
  return 0;
}

class Builder {
 public:
  Builder(const RandomGgufOptions& options, const Shape& shape)
      : options_(options), shape_(shape), random_(options.seed) {}

  std::string build() {
    write_keys();
    const std::uint32_t token_count = write_vocabulary(shape_.vocabulary, writer_);
    writer_.set_u32(key("vocab_size"), token_count);
    write_ends(token_count);
    for (std::uint32_t layer = 0; layer < shape_.layer_count; ++layer) write_layer(layer);
    return writer_.finish();
  }

 private:
  std::string key(std::string_view name) const { return fmt::format("{}.{}", shape_.architecture, name); }

  void write_keys() {
    writer_.set_string("general.architecture", shape_.architecture);
    writer_.set_string("general.name", fmt::format("random {} {} {}", shape_.architecture,
                                                   gguf::to_string(options_.type), options_.seed));
    writer_.set_u32("general.file_type", file_type(options_.type));
    writer_.set_u32("general.quantization_version", 2);
    writer_.set_u32(key("block_count"), shape_.layer_count);
    writer_.set_u32(key("context_length"), options_.context_tokens);
    writer_.set_u32(key("embedding_length"), shape_.embedding_size);
    writer_.set_u32(key("feed_forward_length"), shape_.feed_forward_size);
    writer_.set_u32(key("attention.head_count"), shape_.head_count);
    writer_.set_u32(key("attention.head_count_kv"), shape_.kv_head_count);
    writer_.set_u32(key("attention.key_length"), shape_.head_size);
    writer_.set_u32(key("attention.value_length"), shape_.head_size);
    writer_.set_f32(key("attention.layer_norm_rms_epsilon"), shape_.epsilon);
    writer_.set_u32(key("rope.dimension_count"), shape_.head_size);
    writer_.set_f32(key("rope.freq_base"), shape_.rope_base);
    if (shape_.sliding_window != 0) writer_.set_u32(key("attention.sliding_window"), shape_.sliding_window);
  }

  // Bell-shaped with standard deviation 1: four uniform 16-bit numbers, the same on every machine.
  float bell() {
    const std::uint64_t bits = random_.next();
    const std::uint64_t sum = (bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48);
    return (static_cast<float>(sum) / 65536.0F - 2.0F) * 1.7320508F;
  }

  void matrix(std::string_view name, std::uint32_t input_size, std::uint32_t output_size, float deviation) {
    std::vector<float> weights(std::size_t{input_size} * output_size);
    for (float& weight : weights) weight = bell() * deviation;
    writer_.add_tensor(name, std::array<std::uint64_t, 2>{input_size, output_size}, options_.type,
                       quantise(weights, options_.type));
  }

  void vector(std::string_view name, std::uint32_t size, float mean, float deviation) {
    std::vector<float> values(size);
    for (float& value : values) value = mean + bell() * deviation;
    writer_.add_tensor(name, std::array<std::uint64_t, 1>{size}, TensorType::f32, quantise(values, TensorType::f32));
  }

  // Small embeddings keep the residual stream the layers' own; the output norm then sets the logits' deviation to
  // about 5.
  void write_ends(std::uint32_t token_count) {
    constexpr float kEmbeddingDeviation = 0.02F;
    const float logit_gain = 5.0F / (kEmbeddingDeviation * std::sqrt(static_cast<float>(shape_.embedding_size)));
    matrix("token_embd.weight", shape_.embedding_size, token_count, kEmbeddingDeviation);
    vector("output_norm.weight", shape_.embedding_size, logit_gain, 0.1F * logit_gain);
    if (!shape_.tied) matrix("output.weight", shape_.embedding_size, token_count, kEmbeddingDeviation);
    if (!shape_.rope_divisors) return;
    std::vector<float> divisors(shape_.head_size / 2, 1.0F);
    for (std::size_t i = divisors.size() / 2; i < divisors.size(); ++i)
      divisors[i] = 1.0F + 0.5F * static_cast<float>(i);
    writer_.add_tensor("rope_freqs.weight", std::array<std::uint64_t, 1>{divisors.size()}, TensorType::f32,
                       quantise(divisors, TensorType::f32));
  }

  // Matrices keep the size of what they are given (deviation 1/sqrt(input)), queries are larger, which makes attention
  // sharp.
  void write_layer(std::uint32_t layer) {
    const auto named = [&](std::string_view part) { return fmt::format("blk.{}.{}", layer, part); };
    const auto gain = [](std::uint32_t input_size) { return 1.0F / std::sqrt(static_cast<float>(input_size)); };
    constexpr float kSharpness = 3.0F;
    const std::uint32_t embedding = shape_.embedding_size;
    const std::uint32_t query_size = shape_.head_count * shape_.head_size;
    const std::uint32_t kv_size = shape_.kv_head_count * shape_.head_size;
    vector(named("attn_norm.weight"), embedding, 1.0F, 0.1F);
    matrix(named("attn_q.weight"), embedding, query_size, gain(embedding) * (shape_.head_norms ? 1.0F : kSharpness));
    matrix(named("attn_k.weight"), embedding, kv_size, gain(embedding));
    matrix(named("attn_v.weight"), embedding, kv_size, gain(embedding));
    matrix(named("attn_output.weight"), query_size, embedding, gain(query_size));
    if (shape_.attention_bias) {
      vector(named("attn_q.bias"), query_size, 0.0F, 0.5F);
      vector(named("attn_k.bias"), kv_size, 0.0F, 0.5F);
      vector(named("attn_v.bias"), kv_size, 0.0F, 0.2F);
    }
    if (shape_.head_norms) {
      vector(named("attn_q_norm.weight"), shape_.head_size, kSharpness, 0.2F);
      vector(named("attn_k_norm.weight"), shape_.head_size, 1.0F, 0.1F);
    }
    vector(named("ffn_norm.weight"), embedding, 1.0F, 0.1F);
    matrix(named("ffn_gate.weight"), embedding, shape_.feed_forward_size, gain(embedding));
    matrix(named("ffn_up.weight"), embedding, shape_.feed_forward_size, gain(embedding));
    matrix(named("ffn_down.weight"), shape_.feed_forward_size, embedding, 2.0F * gain(shape_.feed_forward_size));
    if (shape_.post_norms) {
      vector(named("post_attention_norm.weight"), embedding, 1.0F, 0.1F);
      vector(named("post_ffw_norm.weight"), embedding, 1.0F, 0.1F);
    }
  }

  RandomGgufOptions options_;
  Shape shape_;
  base::Random random_;
  GgufWriter writer_;
};

}  // namespace

std::optional<RandomModel> random_model_from_name(std::string_view name) {
  for (const auto& [known, model] : kNames) {
    if (known == name) return model;
  }
  return std::nullopt;
}

std::string random_gguf(const RandomGgufOptions& options) {
  Shape shape = shape_of(options.model);
  if (options.layer_count != 0) shape.layer_count = options.layer_count;
  return Builder(options, shape).build();
}

}  // namespace stint::fakes
