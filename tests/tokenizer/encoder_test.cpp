#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {
namespace {

std::unique_ptr<const Tokenizer> build(Vocabulary vocabulary) {
  auto tokenizer = Tokenizer::build(std::move(vocabulary));
  EXPECT_TRUE(tokenizer) << tokenizer.error().message;
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

// What has gone wrong in pre-tokenizers, normalizers and special tokens before, cut anywhere by the tests below.
const std::vector<std::string> kFragments = {"'s",
                                             "'S",
                                             "'\u017F",
                                             "'ll",
                                             "'re",
                                             "'",
                                             " ",
                                             "  ",
                                             "\n",
                                             "\r\n",
                                             "\t",
                                             "\u00A0",
                                             "\u3000",
                                             "1",
                                             "123",
                                             "the",
                                             "a",
                                             "e\u0301",
                                             "\u1E9B\u0323",
                                             "\u0323\u0307",
                                             "\u1112\u1161\u11AB",
                                             "\uAC00\u11A8",
                                             "日本",
                                             "の",
                                             "😀",
                                             "▁",
                                             "!",
                                             "...",
                                             "<",
                                             "<|",
                                             "<|end|",
                                             "<|end|>",
                                             "<|end|>>",
                                             "\xFF",
                                             "\xE3\x81",
                                             "\xF0\x9F",
                                             "\xC0",
                                             "b",
                                             "ab",
                                             "abab",
                                             "\x80"};

std::string random_text(base::Random& random, std::size_t fragment_count_max) {
  std::string text;
  for (std::uint64_t count = 1 + random.below(fragment_count_max); count > 0; --count) {
    text += kFragments[random.below(kFragments.size())];
  }
  return text;
}

std::vector<TokenId> encode_in_parts(const Tokenizer& tokenizer, std::string_view text, Trust trust,
                                     base::Random& random) {
  Encoder encoder(tokenizer, trust);
  std::vector<TokenId> tokens;
  const std::size_t part_size_max = 1 + random.below(9);
  while (!text.empty()) {
    const std::size_t size = std::min(text.size(), 1 + random.below(part_size_max));
    encoder.append(text.substr(0, size), tokens);
    text.remove_prefix(size);
  }
  encoder.finish(tokens);
  return tokens;
}

const std::vector<std::pair<std::string, TokenType>> kSpecials = {{"<|end|>", TokenType::control},
                                                                  {"<|end|>>", TokenType::user_defined},
                                                                  {"<|", TokenType::user_defined},
                                                                  {"b<", TokenType::control}};

void expect_splits_change_nothing(const Vocabulary& vocabulary, std::uint64_t seed) {
  const auto tokenizer = build(vocabulary);
  base::Random random(seed);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = random_text(random, 16);
    const Trust trust = random.below(2) == 0 ? Trust::user : Trust::trusted;
    ASSERT_EQ(encode_in_parts(*tokenizer, text, trust, random), tokenizer->encode(text, trust))
        << "seed " << seed << ": " << text;
  }
}

Vocabulary byte_level(PreTokenizer pre_tokenizer) {
  base::Random random(7);
  auto merges = random_merges(random, "ab'sle 1\n!", 60);
  merges.insert(merges.begin(), {{"\xE3", "\x81"}, {"\xE3\x81", "\xAE"}, {"\xCC", "\x81"}});
  Vocabulary vocabulary = byte_vocabulary(merges, kSpecials);
  vocabulary.pre_tokenizer = pre_tokenizer;
  vocabulary.normalize_nfc = pre_tokenizer == PreTokenizer::qwen2;
  vocabulary.ignore_merges = pre_tokenizer == PreTokenizer::llama_bpe;
  return vocabulary;
}

TEST(Encoder, splits_change_nothing_with_gpt2) {
  expect_splits_change_nothing(byte_level(PreTokenizer::gpt2), 1);
}
TEST(Encoder, splits_change_nothing_with_smollm) {
  expect_splits_change_nothing(byte_level(PreTokenizer::smollm), 2);
}
TEST(Encoder, splits_change_nothing_with_qwen2) {
  expect_splits_change_nothing(byte_level(PreTokenizer::qwen2), 3);
}
TEST(Encoder, splits_change_nothing_with_llama) {
  expect_splits_change_nothing(byte_level(PreTokenizer::llama_bpe), 4);
}
TEST(Encoder, splits_change_nothing_without_pieces) {
  expect_splits_change_nothing(byte_level(PreTokenizer::none), 5);
}

TEST(Encoder, splits_change_nothing_with_sentencepiece) {
  Vocabulary vocabulary =
      sentencepiece_vocabulary({"▁a", "ab", "abab", "▁the", "th", "he", "▁▁", "日本", "e\u0301", "..",    "...",
                                "a",  "b",  "e",    "t",    "h",  "▁",  ".",  "\n",   "'",       "\u0301"},
                               kSpecials);
  expect_splits_change_nothing(vocabulary, 6);
  vocabulary.add_space_prefix = true;
  expect_splits_change_nothing(vocabulary, 7);
}

TEST(Encoder, commits_all_but_the_last_two_pieces) {
  const auto tokenizer = build(byte_vocabulary({}));
  Encoder encoder(*tokenizer, Trust::user);
  std::vector<TokenId> tokens;
  encoder.append("one two three", tokens);
  EXPECT_EQ(tokenizer->decode(tokens), "one");
  encoder.append(" four", tokens);
  EXPECT_EQ(tokenizer->decode(tokens), "one two");
  encoder.finish(tokens);
  EXPECT_EQ(tokenizer->decode(tokens), "one two three four");
}

TEST(Encoder, commits_everything_before_a_special_token) {
  const auto tokenizer = build(byte_vocabulary({}, {{"<|end|>", TokenType::control}}));
  Encoder encoder(*tokenizer, Trust::trusted);
  std::vector<TokenId> tokens;
  encoder.append("one<|en", tokens);
  EXPECT_EQ(tokens.size(), 0u);
  encoder.append("d|>", tokens);
  EXPECT_EQ(tokens.size(), 4u);
}

TEST(Encoder, is_empty_and_usable_after_finish) {
  const auto tokenizer = build(byte_vocabulary({}));
  Encoder encoder(*tokenizer, Trust::user);
  for (int round = 0; round < 2; ++round) {
    std::vector<TokenId> tokens;
    encoder.append("ab", tokens);
    encoder.finish(tokens);
    EXPECT_EQ(tokens.size(), 2u);
  }
}

// Quadratic work on 512 KiB in parts of 2 bytes would take minutes.
TEST(Encoder, one_endless_piece_in_small_parts_stays_linear) {
  const auto tokenizer = build(byte_vocabulary({{"a", "a"}, {"aa", "aa"}}));
  Encoder encoder(*tokenizer, Trust::user);
  std::vector<TokenId> tokens;
  for (int i = 0; i < 256 * 1024; ++i) encoder.append("aa", tokens);
  encoder.finish(tokens);
  EXPECT_EQ(tokens.size(), 128u * 1024);
}

}  // namespace
}  // namespace stint::tokenizer
