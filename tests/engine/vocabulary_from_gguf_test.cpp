#include "engine/vocabulary_from_gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/gguf/file.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/random_gguf.h"

namespace stint::engine {
namespace {

using fakes::GgufWriter;
using fakes::RandomModel;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using tokenizer::Algorithm;
using tokenizer::PreTokenizer;
using tokenizer::TokenType;
using tokenizer::Vocabulary;

Result<Vocabulary> read(const std::string& bytes) {
  const auto file = gguf::File::from_bytes(std::as_bytes(std::span(bytes)), "test.gguf");
  EXPECT_TRUE(file) << file.error().message;
  return vocabulary_from_gguf(file->metadata());
}

Result<Vocabulary> read(const std::function<void(GgufWriter&)>& fill) {
  GgufWriter writer;
  fill(writer);
  return read(writer.finish());
}

std::vector<std::string> end_texts(const Vocabulary& vocabulary) {
  std::vector<std::string> texts;
  for (const auto id : vocabulary.end_of_generation) texts.push_back(vocabulary.tokens[id]);
  return texts;
}

TEST(VocabularyFromGguf, reads_chatml_models) {
  const auto vocabulary = read(fakes::random_gguf({.model = RandomModel::llama, .layer_count = 1}));
  ASSERT_TRUE(vocabulary) << vocabulary.error().message;
  EXPECT_EQ(vocabulary->algorithm, Algorithm::byte_level_bpe);
  EXPECT_EQ(vocabulary->pre_tokenizer, PreTokenizer::smollm);
  EXPECT_FALSE(vocabulary->add_bos);
  EXPECT_FALSE(vocabulary->normalize_nfc);
  EXPECT_FALSE(vocabulary->merges.empty());
  EXPECT_THAT(end_texts(*vocabulary), UnorderedElementsAre("<|im_end|>", "<|endoftext|>"));
}

TEST(VocabularyFromGguf, qwen2_text_is_normalised) {
  const auto vocabulary = read(fakes::random_gguf({.model = RandomModel::qwen3, .layer_count = 1}));
  ASSERT_TRUE(vocabulary);
  EXPECT_EQ(vocabulary->pre_tokenizer, PreTokenizer::qwen2);
  EXPECT_TRUE(vocabulary->normalize_nfc);
}

TEST(VocabularyFromGguf, llama3_ignores_merges_and_begins_with_bos) {
  const auto vocabulary = read(fakes::random_gguf({.model = RandomModel::llama3, .layer_count = 1}));
  ASSERT_TRUE(vocabulary);
  EXPECT_EQ(vocabulary->pre_tokenizer, PreTokenizer::llama_bpe);
  EXPECT_TRUE(vocabulary->ignore_merges);
  EXPECT_TRUE(vocabulary->add_bos);
  EXPECT_EQ(vocabulary->tokens[*vocabulary->bos], "<|begin_of_text|>");
  EXPECT_THAT(end_texts(*vocabulary), UnorderedElementsAre("<|eot_id|>", "<|end_of_text|>"));
}

TEST(VocabularyFromGguf, reads_sentencepiece_models) {
  const auto vocabulary = read(fakes::random_gguf({.model = RandomModel::gemma3, .layer_count = 1}));
  ASSERT_TRUE(vocabulary);
  EXPECT_EQ(vocabulary->algorithm, Algorithm::sentencepiece_bpe);
  EXPECT_EQ(vocabulary->pre_tokenizer, PreTokenizer::none);
  EXPECT_TRUE(vocabulary->add_bos);
  EXPECT_FALSE(vocabulary->add_space_prefix);
  EXPECT_EQ(vocabulary->scores.size(), vocabulary->tokens.size());
  EXPECT_EQ(vocabulary->types[*vocabulary->unknown], TokenType::unknown);
  EXPECT_THAT(end_texts(*vocabulary), UnorderedElementsAre("<eos>", "<end_of_turn>"));
}

TEST(VocabularyFromGguf, sentencepiece_defaults_are_those_of_its_numbering) {
  const auto vocabulary = read([](GgufWriter& writer) {
    writer.set_string("tokenizer.ggml.model", "llama");
    writer.set_strings("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "</s>", "a"});
    writer.set_floats("tokenizer.ggml.scores", std::vector<float>{0, 0, 0, -1});
  });
  ASSERT_TRUE(vocabulary) << vocabulary.error().message;
  EXPECT_EQ(vocabulary->unknown, 0U);
  EXPECT_EQ(vocabulary->bos, 1U);
  EXPECT_EQ(vocabulary->eos, 2U);
  EXPECT_TRUE(vocabulary->add_bos);
  EXPECT_TRUE(vocabulary->add_space_prefix);
}

void small_bpe(GgufWriter& writer, std::string_view pre) {
  writer.set_string("tokenizer.ggml.model", "gpt2");
  if (!pre.empty()) writer.set_string("tokenizer.ggml.pre", pre);
  writer.set_strings("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "ab", "<|im_end|>"});
  writer.set_strings("tokenizer.ggml.merges", std::vector<std::string>{"a b"});
}

TEST(VocabularyFromGguf, aliases_share_a_pre_tokenizer) {
  const auto starcoder = read([](GgufWriter& writer) { small_bpe(writer, "starcoder"); });
  ASSERT_TRUE(starcoder);
  EXPECT_EQ(starcoder->pre_tokenizer, PreTokenizer::smollm);
  const auto smaug = read([](GgufWriter& writer) { small_bpe(writer, "smaug-bpe"); });
  ASSERT_TRUE(smaug);
  EXPECT_EQ(smaug->pre_tokenizer, PreTokenizer::llama_bpe);
  EXPECT_FALSE(smaug->ignore_merges);
}

TEST(VocabularyFromGguf, end_tokens_are_control_tokens_even_if_the_file_says_otherwise) {
  const auto vocabulary = read([](GgufWriter& writer) {
    small_bpe(writer, "gpt-2");
    writer.set_integers("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 0, 1});
  });
  ASSERT_TRUE(vocabulary);
  EXPECT_EQ(vocabulary->types[3], TokenType::control);
  EXPECT_EQ(vocabulary->types[2], TokenType::normal);
}

TEST(VocabularyFromGguf, unknown_kinds_are_errors_that_name_what_is_supported) {
  for (const std::string_view pre : {"tekken", ""}) {
    const auto vocabulary = read([&](GgufWriter& writer) { small_bpe(writer, pre); });
    ASSERT_FALSE(vocabulary);
    EXPECT_EQ(vocabulary.error().kind, ErrorKind::unsupported);
    EXPECT_THAT(vocabulary.error().message, HasSubstr(pre.empty() ? "default" : pre));
    EXPECT_THAT(vocabulary.error().message, HasSubstr("smollm"));
  }
  const auto model = read([](GgufWriter& writer) { writer.set_string("tokenizer.ggml.model", "bert"); });
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, HasSubstr("bert"));
}

TEST(VocabularyFromGguf, contradictions_are_errors) {
  const auto message = [](const std::function<void(GgufWriter&)>& more) {
    const auto vocabulary = read([&](GgufWriter& writer) {
      small_bpe(writer, "gpt-2");
      more(writer);
    });
    return vocabulary ? "" : vocabulary.error().message;
  };
  EXPECT_THAT(message([](GgufWriter& w) { w.set_u32("tokenizer.ggml.eos_token_id", 4); }),
              HasSubstr("eos_token_id is 4"));
  EXPECT_THAT(message([](GgufWriter& w) { w.set_boolean("tokenizer.ggml.add_bos_token", true); }),
              HasSubstr("bos_token_id is missing"));
  EXPECT_THAT(message([](GgufWriter& w) { w.set_integers("tokenizer.ggml.token_type", std::vector<std::int32_t>{1}); }),
              HasSubstr("1 entries for 4 tokens"));
  EXPECT_THAT(message([](GgufWriter& w) {
                w.set_integers("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 1, 7});
              }),
              HasSubstr("unknown type 7"));
}

}  // namespace
}  // namespace stint::engine
