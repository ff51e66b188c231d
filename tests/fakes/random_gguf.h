// Small models with random weights, of every architecture and weight type, as GGUF bytes that llama.cpp loads too. Made
// for agreement tests: attention is sharp and logits are peaked (standard deviation about 5), so that a wrong step
// shows. Deterministic: the same options give the same bytes on every machine. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/gguf/tensor_type.h"

namespace stint::fakes {

// llama3 is architecture "llama" with rotary divisors (rope_freqs.weight) and a llama-bpe vocabulary.
enum class RandomModel : std::uint8_t { llama, llama3, qwen2, qwen3, gemma3 };

std::optional<RandomModel> random_model_from_name(std::string_view name);

struct RandomGgufOptions {
  RandomModel model = RandomModel::llama;
  gguf::TensorType type = gguf::TensorType::f32;  // of all matrices; norms and biases are F32
  std::uint64_t seed = 1;
  std::uint32_t layer_count = 0;  // 0: two, gemma3 seven (its sixth layer is the one with global attention)
  std::uint32_t context_tokens = 8192;
};

std::string random_gguf(const RandomGgufOptions& options);

}  // namespace stint::fakes
