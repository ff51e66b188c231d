#include "tokenizer/token_table.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

TEST(TokenTable, keeps_spelling_and_bytes_apart) {
  const TokenTable tokens =
      TokenTable::build(byte_vocabulary({{" ", "a"}}, {{"<s>", TokenType::control}, {" b", TokenType::user_defined}}))
          .value();
  EXPECT_EQ(tokens.text(256), "Ġa");
  EXPECT_EQ(tokens.bytes(256), " a");
  EXPECT_EQ(tokens.bytes(257), "");
  EXPECT_EQ(tokens.text(257), "<s>");
  EXPECT_EQ(tokens.bytes(258), " b");
  EXPECT_EQ(tokens.find("Ġa"), TokenId{256});
  EXPECT_EQ(tokens.find(" a"), std::nullopt);
}

TEST(TokenTable, sentencepiece_spaces_and_bytes_are_plain) {
  const TokenTable tokens = TokenTable::build(sentencepiece_vocabulary({"▁a▁", "b c"})).value();
  EXPECT_EQ(tokens.bytes(257), " a ");
  EXPECT_EQ(tokens.bytes(1 + 0x41), "A");
  EXPECT_EQ(tokens.byte_token(0xFF), TokenId{256});
  EXPECT_TRUE(tokens.is_mergeable(257));
  EXPECT_FALSE(tokens.is_mergeable(258)) << "a plain space never stands in SentencePiece's text";
  EXPECT_FALSE(tokens.is_mergeable(0));
}

TEST(TokenTable, knows_which_tokens_are_whole_characters) {
  const TokenTable tokens = TokenTable::build(byte_vocabulary({{"\xC3", "\xA9"}})).value();
  EXPECT_TRUE(tokens.is_text('a'));
  EXPECT_FALSE(tokens.is_text(0xC3));
  EXPECT_TRUE(tokens.is_text(256));
}

TEST(TokenTable, padding_of_empty_tokens_is_allowed) {
  Vocabulary vocabulary = byte_vocabulary({});
  vocabulary.tokens.insert(vocabulary.tokens.end(), 2, "");
  vocabulary.types.clear();
  const auto tokens = TokenTable::build(vocabulary);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->bytes(257), "");
  EXPECT_FALSE(tokens->is_mergeable(257));
}

TEST(TokenTable, a_byte_token_must_name_its_byte) {
  for (const char* spelled : {"<0x1>", "<0xZZ>", "A", "<0x1G>"}) {
    Vocabulary vocabulary = sentencepiece_vocabulary({});
    vocabulary.tokens.push_back(spelled);
    vocabulary.types.push_back(TokenType::byte);
    vocabulary.scores.push_back(0);
    EXPECT_FALSE(TokenTable::build(vocabulary)) << spelled;
  }
}

}  // namespace
}  // namespace stint::tokenizer
