// Hyperparameters: the numbers of one model's architecture, read from GGUF metadata and checked, so that the forward
// pass never meets a zero, an overflow or an odd head size. Plain values; copy freely. Limits: the constants below; a
// file beyond them is refused, naming the key.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/gguf/metadata.h"
#include "platform/base/result.h"

namespace stint::model {

enum class Architecture : std::uint8_t { llama, qwen2, qwen3, gemma3 };

std::string_view to_string(Architecture architecture);

// Which elements of a head turn together: adjacent ones (2i, 2i+1), or those half a head apart (i, i + d/2).
enum class RopePairing : std::uint8_t { adjacent, halves };

// The gate of the feed-forward block. gelu_tanh is GeLU in its tanh approximation (Hendrycks and Gimpel, 2016).
enum class Activation : std::uint8_t { silu, gelu_tanh };

inline constexpr std::uint32_t kLayerCountMax = 512;
inline constexpr std::uint32_t kHeadCountMax = 1024;
inline constexpr std::uint32_t kHeadSizeMax = 512;
inline constexpr std::uint32_t kWidthMax = 1U << 18;  // embedding, feed-forward
inline constexpr std::uint32_t kVocabularyCountMax = 1U << 20;
inline constexpr std::uint32_t kContextMax = 1U << 22;

struct Hyperparameters {
  Architecture architecture = Architecture::llama;
  std::uint32_t layer_count = 0;
  std::uint32_t embedding_size = 0;  // elements of a hidden state
  std::uint32_t feed_forward_size = 0;
  std::uint32_t head_count = 0;     // query heads
  std::uint32_t kv_head_count = 0;  // divides head_count
  std::uint32_t head_size = 0;      // elements of one head's query, key and value; even
  std::uint32_t vocabulary_count = 0;
  std::uint32_t context_tokens = 0;  // what the model was trained for
  float norm_epsilon = 1e-5f;
  float attention_scale = 0;  // factor of q.k
  float embedding_scale = 1;  // factor of an embedding row
  float logit_softcap = 0;    // logits become cap * tanh(logits / cap); 0: none
  RopePairing rope_pairing = RopePairing::adjacent;
  double rope_base = 10000;
  double rope_base_local = 10000;    // of sliding-window layers
  double rope_position_scale = 1;    // factor of positions (linear scaling), full-attention layers only
  std::uint32_t window_tokens = 0;   // sliding window: a position sees itself and window_tokens - 1 before it; 0: none
  std::uint32_t window_pattern = 0;  // every window_pattern-th layer sees everything, the others the window
  Activation activation = Activation::silu;
  bool query_key_norm = false;  // RMS norm of each query and key head before rope
  bool post_norm = false;       // norms of the attention and feed-forward outputs before the residual add

  // Errors: unsupported (architecture, rope scaling), corrupt (a value missing or out of range), naming the key.
  static Result<Hyperparameters> read(const gguf::Metadata& metadata);

  std::uint32_t query_size() const { return head_count * head_size; }
  std::uint32_t kv_size() const { return kv_head_count * head_size; }
  bool is_windowed(std::uint32_t layer) const { return window_tokens != 0 && (layer + 1) % window_pattern != 0; }
};

}  // namespace stint::model
