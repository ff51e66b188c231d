#include <gtest/gtest.h>

#include "platform/base/utf8.h"
#include "tests/tokenizer/small_vocabulary.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {
namespace {

std::unique_ptr<const Tokenizer> build(Vocabulary vocabulary) {
  auto tokenizer = Tokenizer::build(std::move(vocabulary));
  EXPECT_TRUE(tokenizer) << tokenizer.error().message;
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

// The tokens 0 to 255 of byte_vocabulary are the bytes themselves.
std::vector<std::string> decode_bytes(const Tokenizer& tokenizer, std::string_view bytes) {
  Decoder decoder(tokenizer);
  std::vector<std::string> parts;
  for (const char byte : bytes) {
    parts.emplace_back();
    decoder.append(static_cast<unsigned char>(byte), parts.back());
  }
  parts.emplace_back();
  decoder.finish(parts.back());
  return parts;
}

std::vector<std::string> decode_bytes(std::string_view bytes) {
  return decode_bytes(*build(byte_vocabulary({})), bytes);
}

using Parts = std::vector<std::string>;

TEST(Decoder, waits_for_the_rest_of_a_character) {
  EXPECT_EQ(decode_bytes("a\xE3\x81\xAE"), (Parts{"a", "", "", "の", ""}));
  EXPECT_EQ(decode_bytes("\xF0\x9F\x98\x80"), (Parts{"", "", "", "😀", ""}));
}

TEST(Decoder, replaces_what_is_no_character) {
  EXPECT_EQ(decode_bytes("\xFF"), (Parts{"\uFFFD", ""}));
  EXPECT_EQ(decode_bytes("\xE3\x81z"), (Parts{"", "", "\uFFFDz", ""}));
  EXPECT_EQ(decode_bytes("\xE0\x80"), (Parts{"", "\uFFFD\uFFFD", ""}));  // overlong: two stray bytes
  EXPECT_EQ(decode_bytes("\xF0\x9F\x98"), (Parts{"", "", "", "\uFFFD"}));
}

TEST(Decoder, every_part_is_valid_utf8) {
  const auto tokenizer = build(byte_vocabulary({}));
  base::Random random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint64_t size = 1 + random.below(12); size > 0; --size) {
      bytes.push_back(
          static_cast<char>(random.below(2) == 0 ? random.below(256) : "\xE3\x81\xAE\xF0\x9F"[random.below(5)]));
    }
    for (const std::string& part : decode_bytes(*tokenizer, bytes)) ASSERT_EQ(base::utf8_valid_size(part), part.size());
  }
}

TEST(Decoder, control_tokens_give_no_text) {
  const auto tokenizer =
      build(byte_vocabulary({}, {{"<|end|>", TokenType::control}, {"<b>", TokenType::user_defined}}));
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{'a', 256, 'b', 257}),
            tokenizer->decode(std::vector<TokenId>{'a', 'b', 257}));
  EXPECT_EQ(tokenizer->token_text(256), "<|end|>");
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{257}), "<b>");
}

TEST(Decoder, drops_the_space_prefix_once) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"▁a", "▁", "a"}, {{"<s>", TokenType::control}});
  const TokenId word = 257;
  const TokenId control = 260;
  EXPECT_EQ(build(vocabulary)->decode(std::vector<TokenId>{word, word}), " a a");
  vocabulary.add_space_prefix = true;
  const auto tokenizer = build(vocabulary);
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{word, word}), "a a");
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{control, word, word}), "a a");
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{259, word}), "a a");
}

TEST(Decoder, byte_tokens_join_to_characters) {
  const auto tokenizer = build(sentencepiece_vocabulary({"a"}));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("の a", Trust::user)), "の a");
}

TEST(Decoder, gives_back_every_text) {
  const auto tokenizer = build(byte_vocabulary({{"t", "h"}, {" ", "th"}}));
  const std::string text = "  the の\r\n'S 😀 123\u00A0!";
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, Trust::user)), text);
}

}  // namespace
}  // namespace stint::tokenizer
