// The models that other tests run on are themselves well formed: every architecture, every type.
#include "tests/fakes/random_gguf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/gguf/file.h"

namespace stint::gguf {
namespace {

using fakes::random_gguf;
using fakes::RandomModel;

constexpr std::array kModels{RandomModel::llama, RandomModel::llama3, RandomModel::qwen2, RandomModel::qwen3,
                             RandomModel::gemma3};
constexpr std::array kTypes{TensorType::f16,  TensorType::bf16, TensorType::q4_0, TensorType::q4_1, TensorType::q5_0,
                            TensorType::q5_1, TensorType::q8_0, TensorType::q4_k, TensorType::q5_k, TensorType::q6_k};

Result<File> open_bytes(const std::string& bytes) {
  return File::from_bytes(std::as_bytes(std::span(bytes)), "random");
}

TEST(RandomGguf, every_model_and_every_type_opens) {
  for (const RandomModel model : kModels) {
    const auto file = open_bytes(random_gguf({.model = model, .type = TensorType::q8_0, .seed = 3, .layer_count = 1}));
    ASSERT_TRUE(file) << file.error().message;
    const auto tokens = file->metadata().strings("tokenizer.ggml.tokens");
    ASSERT_TRUE(tokens);
    EXPECT_EQ(file->find_tensor("token_embd.weight")->ne[1], tokens->size());
    EXPECT_EQ(file->metadata().integers("tokenizer.ggml.token_type")->size(), tokens->size());
  }
  for (const TensorType type : kTypes) {
    const auto file = open_bytes(random_gguf({.type = type, .layer_count = 1}));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->find_tensor("blk.0.attn_q.weight")->type, type);
  }
}

TEST(RandomGguf, same_seed_same_bytes) {
  EXPECT_EQ(random_gguf({.seed = 5, .layer_count = 1}), random_gguf({.seed = 5, .layer_count = 1}));
  EXPECT_NE(random_gguf({.seed = 5, .layer_count = 1}), random_gguf({.seed = 6, .layer_count = 1}));
}

TEST(RandomGguf, merges_are_made_of_tokens) {
  const auto file = open_bytes(random_gguf({.layer_count = 1}));
  ASSERT_TRUE(file);
  auto tokens = *file->metadata().strings("tokenizer.ggml.tokens");
  std::ranges::sort(tokens);
  for (const std::string_view merge : *file->metadata().strings("tokenizer.ggml.merges")) {
    const std::size_t space = merge.find(' ');
    const std::string whole = std::string(merge.substr(0, space)) + std::string(merge.substr(space + 1));
    EXPECT_TRUE(std::ranges::binary_search(tokens, merge.substr(0, space))) << merge;
    EXPECT_TRUE(std::ranges::binary_search(tokens, merge.substr(space + 1))) << merge;
    EXPECT_TRUE(std::ranges::binary_search(tokens, std::string_view(whole))) << merge;
  }
}

}  // namespace
}  // namespace stint::gguf
