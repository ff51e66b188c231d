#include "engine/model/hyperparameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "engine/gguf/file.h"
#include "tests/fakes/gguf_writer.h"

namespace stint::model {
namespace {

// The keys of a small model; `change` may add or replace some first (the first of two equal keys is refused by gguf).
Result<Hyperparameters> read(const std::string& architecture,
                             const std::function<void(fakes::GgufWriter&)>& change = {}) {
  fakes::GgufWriter writer;
  writer.set_string("general.architecture", architecture);
  writer.set_u32(architecture + ".block_count", 12);
  writer.set_u32(architecture + ".embedding_length", 64);
  writer.set_u32(architecture + ".feed_forward_length", 96);
  writer.set_u32(architecture + ".context_length", 512);
  writer.set_u32(architecture + ".attention.head_count", 4);
  writer.set_u32(architecture + ".vocab_size", 100);
  if (change) change(writer);
  const std::string bytes = writer.finish();
  const Result<gguf::File> file = gguf::File::from_bytes(std::as_bytes(std::span(bytes)), "test.gguf");
  if (!file) return std::unexpected(file.error());
  return Hyperparameters::read(file->metadata());
}

TEST(Hyperparameters, fills_in_what_files_leave_out) {
  const Result<Hyperparameters> h = read("llama");
  ASSERT_TRUE(h) << h.error().message;
  EXPECT_EQ(h->layer_count, 12u);
  EXPECT_EQ(h->kv_head_count, 4u);
  EXPECT_EQ(h->head_size, 16u);
  EXPECT_EQ(h->vocabulary_count, 100u);
  EXPECT_FLOAT_EQ(h->attention_scale, 0.25f);
  EXPECT_EQ(h->rope_pairing, RopePairing::adjacent);
  EXPECT_EQ(h->rope_base, 10000);
  EXPECT_FALSE(h->query_key_norm || h->post_norm || h->is_windowed(0));
}

TEST(Hyperparameters, knows_what_sets_the_architectures_apart) {
  EXPECT_EQ(read("qwen2")->rope_pairing, RopePairing::halves);
  EXPECT_FALSE(read("qwen2")->query_key_norm);
  EXPECT_TRUE(read("qwen3")->query_key_norm);
  const Result<Hyperparameters> gemma = read("gemma3", [](fakes::GgufWriter& w) {
    w.set_u32("gemma3.attention.sliding_window", 512);
    w.set_f32("gemma3.final_logit_softcapping", 30);
    w.set_f32("gemma3.rope.freq_base", 1e6f);
  });
  ASSERT_TRUE(gemma) << gemma.error().message;
  EXPECT_FLOAT_EQ(gemma->embedding_scale, 8);
  EXPECT_EQ(gemma->activation, Activation::gelu_tanh);
  EXPECT_TRUE(gemma->post_norm && gemma->query_key_norm);
  EXPECT_EQ(gemma->rope_base, 1e6);
  EXPECT_EQ(gemma->rope_base_local, 1e4);
  EXPECT_EQ(gemma->logit_softcap, 30);
  EXPECT_TRUE(gemma->is_windowed(0) && gemma->is_windowed(4));
  EXPECT_FALSE(gemma->is_windowed(5));
  EXPECT_FALSE(gemma->is_windowed(11));
}

TEST(Hyperparameters, reads_linear_rope_scaling_and_refuses_other_kinds) {
  const Result<Hyperparameters> linear = read("llama", [](fakes::GgufWriter& w) {
    w.set_string("llama.rope.scaling.type", "linear");
    w.set_f32("llama.rope.scaling.factor", 4);
  });
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->rope_position_scale, 0.25);
  const Result<Hyperparameters> yarn =
      read("llama", [](fakes::GgufWriter& w) { w.set_string("llama.rope.scaling.type", "yarn"); });
  ASSERT_FALSE(yarn);
  EXPECT_EQ(yarn.error().kind, ErrorKind::unsupported);
  EXPECT_NE(yarn.error().message.find("yarn"), std::string::npos);
}

TEST(Hyperparameters, names_the_architecture_it_cannot_compute) {
  const Result<Hyperparameters> h = read("mamba");
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error().kind, ErrorKind::unsupported);
  EXPECT_NE(h.error().message.find("mamba"), std::string::npos);
}

TEST(Hyperparameters, refuses_numbers_that_make_no_model) {
  struct Case {
    std::string key;
    std::uint32_t value;
  };
  for (const Case& c :
       {Case{"attention.head_count_kv", 3}, Case{"attention.head_count_kv", 0}, Case{"attention.key_length", 15},
        Case{"attention.key_length", 4096}, Case{"attention.value_length", 8}, Case{"rope.dimension_count", 8}}) {
    const Result<Hyperparameters> h =
        read("llama", [&](fakes::GgufWriter& w) { w.set_u32("llama." + c.key, c.value); });
    EXPECT_FALSE(h) << c.key << " = " << c.value;
  }
  EXPECT_FALSE(read("llama", [](fakes::GgufWriter& w) { w.set_f32("llama.attention.layer_norm_rms_epsilon", -1); }));
}

}  // namespace
}  // namespace stint::model
