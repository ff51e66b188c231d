#include "engine/model/tensors.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/fakes/gguf_writer.h"

namespace stint::model {
namespace {

struct Entry {
  std::string name;
  std::vector<std::uint64_t> ne;
};

constexpr Hyperparameters kSmall{.layer_count = 1,
                                 .embedding_size = 8,
                                 .feed_forward_size = 12,
                                 .head_count = 2,
                                 .kv_head_count = 1,
                                 .head_size = 4,
                                 .vocabulary_count = 10};

std::vector<Entry> entries() {
  return {{"token_embd.weight", {8, 10}},       {"output_norm.weight", {8}},       {"blk.0.attn_norm.weight", {8}},
          {"blk.0.attn_q.weight", {8, 8}},      {"blk.0.attn_k.weight", {8, 4}},   {"blk.0.attn_v.weight", {8, 4}},
          {"blk.0.attn_output.weight", {8, 8}}, {"blk.0.ffn_norm.weight", {8}},    {"blk.0.ffn_gate.weight", {8, 12}},
          {"blk.0.ffn_up.weight", {8, 12}},     {"blk.0.ffn_down.weight", {12, 8}}};
}

// Element i of every tensor is i.
gguf::File file_with(const std::vector<Entry>& list) {
  fakes::GgufWriter writer;
  for (const Entry& entry : list) {
    std::uint64_t count = 1;
    for (const std::uint64_t n : entry.ne) count *= n;
    std::string bytes;
    for (std::uint64_t i = 0; i < count; ++i) fakes::append_encoded(bytes, static_cast<float>(i));
    writer.add_tensor(entry.name, entry.ne, gguf::TensorType::f32, bytes);
  }
  const std::string bytes = writer.finish();
  Result<gguf::File> file = gguf::File::from_bytes(std::as_bytes(std::span(bytes)), "test.gguf");
  EXPECT_TRUE(file) << file.error().message;
  return std::move(*file);
}

TEST(Tensors, binds_names_to_parts) {
  const gguf::File file = file_with(entries());
  const Result<Tensors> tensors = Tensors::bind(file, kSmall);
  ASSERT_TRUE(tensors) << tensors.error().message;
  EXPECT_TRUE(tensors->tied_head());
  EXPECT_EQ(tensors->layers[0].down.column_count, 12u);
  EXPECT_EQ(tensors->layers[0].attention_norm[7], 7.0f);
  EXPECT_TRUE(tensors->layers[0].query_bias.empty());
}

TEST(Tensors, splits_fused_query_key_value) {
  std::vector<Entry> list = entries();
  std::erase_if(list, [](const Entry& e) {
    return e.name.find("attn_q.") + 1 || e.name.find("attn_k.") + 1 || e.name.find("attn_v.") + 1;
  });
  list.push_back({"blk.0.attn_qkv.weight", {8, 16}});
  list.push_back({"blk.0.attn_qkv.bias", {16}});
  const gguf::File file = file_with(list);
  const Result<Tensors> tensors = Tensors::bind(file, kSmall);
  ASSERT_TRUE(tensors) << tensors.error().message;
  const LayerTensors& layer = tensors->layers[0];
  float first = 0;
  std::memcpy(&first, layer.value.bytes, sizeof(first));
  EXPECT_EQ(first, 12.0f * 8);
  EXPECT_EQ(layer.key.row_count, 4u);
  EXPECT_EQ(layer.key_bias, (std::vector<float>{8, 9, 10, 11}));
}

TEST(Tensors, a_missing_tensor_is_named) {
  std::vector<Entry> list = entries();
  std::erase_if(list, [](const Entry& e) { return e.name == "blk.0.ffn_up.weight"; });
  const gguf::File file = file_with(list);
  const Result<Tensors> tensors = Tensors::bind(file, kSmall);
  ASSERT_FALSE(tensors);
  EXPECT_EQ(tensors.error().kind, ErrorKind::corrupt);
  EXPECT_NE(tensors.error().message.find("blk.0.ffn_up.weight"), std::string::npos);
}

TEST(Tensors, a_wrong_shape_is_told_with_the_one_expected) {
  for (std::size_t i = 0; i < entries().size(); ++i) {
    std::vector<Entry> list = entries();
    list[i].ne[0] += 1;
    const gguf::File file = file_with(list);
    const Result<Tensors> tensors = Tensors::bind(file, kSmall);
    ASSERT_FALSE(tensors) << list[i].name;
    EXPECT_NE(tensors.error().message.find(list[i].name), std::string::npos) << tensors.error().message;
    EXPECT_NE(tensors.error().message.find(std::to_string(list[i].ne[0])), std::string::npos);
  }
}

TEST(Tensors, a_tensor_nobody_computes_with_is_refused) {
  std::vector<Entry> list = entries();
  list.push_back({"blk.0.attn_output.bias", {8}});
  const gguf::File file = file_with(list);
  const Result<Tensors> tensors = Tensors::bind(file, kSmall);
  ASSERT_FALSE(tensors);
  EXPECT_EQ(tensors.error().kind, ErrorKind::unsupported);
  EXPECT_NE(tensors.error().message.find("attn_output.bias"), std::string::npos);
}

}  // namespace
}  // namespace stint::model
