#include "tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::unique_ptr<const Tokenizer> build(Vocabulary vocabulary) {
  auto tokenizer = Tokenizer::build(std::move(vocabulary));
  EXPECT_TRUE(tokenizer) << tokenizer.error().message;
  return tokenizer ? std::move(*tokenizer) : nullptr;
}

std::vector<std::string> spelled(const Tokenizer& tokenizer, std::string_view text, Trust trust = Trust::user) {
  std::vector<std::string> tokens;
  for (const TokenId token : tokenizer.encode(text, trust)) tokens.emplace_back(tokenizer.token_text(token));
  return tokens;
}

Vocabulary english() {
  return byte_vocabulary({{"t", "h"}, {"th", "e"}, {" ", "the"}, {"e", "r"}, {" ", "c"}, {"a", "t"}, {" c", "at"}},
                         {{"<|end|>", TokenType::control}, {"<|end|>>", TokenType::user_defined}});
}

std::string corrupt_message(Vocabulary vocabulary) {
  const auto tokenizer = Tokenizer::build(std::move(vocabulary));
  if (tokenizer) return "built";
  EXPECT_EQ(tokenizer.error().kind, ErrorKind::corrupt);
  return tokenizer.error().message;
}

TEST(Tokenizer, merges_the_pair_of_lowest_rank_first) {
  const auto tokenizer = build(english());
  EXPECT_THAT(spelled(*tokenizer, "the cat"), ElementsAre("the", "Ġcat"));
  EXPECT_THAT(spelled(*tokenizer, "other"), ElementsAre("o", "the", "r"));
  EXPECT_THAT(spelled(*tokenizer, ""), IsEmpty());
}

TEST(Tokenizer, control_tokens_match_in_trusted_text_only) {
  const auto tokenizer = build(english());
  EXPECT_THAT(spelled(*tokenizer, "a<|end|>", Trust::trusted), ElementsAre("a", "<|end|>"));
  EXPECT_THAT(spelled(*tokenizer, "<|end|>"), ElementsAre("<", "|", "e", "n", "d", "|", ">"));
}

TEST(Tokenizer, a_text_of_mixed_trust_holds_control_tokens_in_its_trusted_parts_only) {
  const auto tokenizer = Tokenizer::build(byte_vocabulary({{"a", "b"}}, {{"<end>", TokenType::control}}));
  ASSERT_TRUE(tokenizer);
  const TokenId end = *(*tokenizer)->find_token("<end>");
  const TokenId ab = *(*tokenizer)->find_token("ab");
  std::vector<TokenId> ids;
  Encoder encoder(**tokenizer, Trust::trusted);
  encoder.append("<end>a", ids);
  encoder.set_trust(Trust::user, ids);
  encoder.append("b<end><e", ids);
  encoder.set_trust(Trust::trusted, ids);
  encoder.append("nd>", ids);
  encoder.finish(ids);
  ASSERT_GE(ids.size(), 2u);
  EXPECT_EQ(ids[0], end);
  EXPECT_EQ(ids[1], ab) << "merges reach across the border";
  EXPECT_EQ(std::ranges::count(ids, end), 1) << "neither the user's own nor half of one is a control token";
  EXPECT_EQ((*tokenizer)->decode(ids), "ab<end><end>");
}

TEST(Tokenizer, the_longest_special_token_wins) {
  const auto tokenizer = build(english());
  EXPECT_THAT(spelled(*tokenizer, "<|end|>>", Trust::trusted), ElementsAre("<|end|>>"));
  EXPECT_THAT(spelled(*tokenizer, "<|end|>>"), ElementsAre("<|end|>>"));
}

TEST(Tokenizer, invalid_bytes_encode_as_bytes) {
  const auto tokenizer = build(english());
  EXPECT_THAT(tokenizer->encode("\xFFthe\xE3\x81", Trust::user), testing::SizeIs(4));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("\xFFthe\xE3\x81", Trust::user)), "\uFFFDthe\uFFFD");
}

TEST(Tokenizer, whole_pieces_beat_merges_where_merges_are_ignored) {
  Vocabulary vocabulary = english();
  vocabulary.tokens.push_back("cab");
  vocabulary.types.push_back(TokenType::normal);
  EXPECT_THAT(spelled(*build(vocabulary), "cab"), ElementsAre("c", "a", "b"));
  vocabulary.ignore_merges = true;
  EXPECT_THAT(spelled(*build(vocabulary), "cab"), ElementsAre("cab"));
}

TEST(Tokenizer, composes_characters_where_the_vocabulary_wants_nfc) {
  Vocabulary vocabulary = byte_vocabulary({{"\xC3", "\xA9"}});
  vocabulary.pre_tokenizer = PreTokenizer::qwen2;
  EXPECT_EQ(build(vocabulary)->encode("e\u0301", Trust::user).size(), 3u);
  vocabulary.normalize_nfc = true;
  EXPECT_EQ(build(vocabulary)->encode("e\u0301", Trust::user).size(), 1u);
}

TEST(Tokenizer, count_stops_just_above_the_limit) {
  const auto tokenizer = build(english());
  EXPECT_EQ(tokenizer->count_until("the cat the cat", Trust::user, 100), 4u);
  EXPECT_EQ(tokenizer->count_until("the cat the cat", Trust::user, 4), 4u);
  EXPECT_EQ(tokenizer->count_until("the cat the cat", Trust::user, 3), 4u);
  EXPECT_EQ(tokenizer->count_until("the cat the cat", Trust::user, 0), 1u);
}

TEST(Tokenizer, begin_of_text_is_not_doubled) {
  Vocabulary vocabulary = english();
  vocabulary.bos = 256;
  EXPECT_EQ(build(vocabulary)->begin_of_text({}), std::nullopt);
  vocabulary.add_bos = true;
  const auto tokenizer = build(vocabulary);
  EXPECT_EQ(tokenizer->begin_of_text({}), TokenId{256});
  EXPECT_EQ(tokenizer->begin_of_text(std::vector<TokenId>{256, 3}), std::nullopt);
  EXPECT_EQ(tokenizer->begin_of_text(std::vector<TokenId>{3, 256}), TokenId{256});
}

TEST(Tokenizer, ids_out_of_range_have_no_text) {
  const auto tokenizer = build(english());
  EXPECT_EQ(tokenizer->token_bytes(1'000'000), "");
  EXPECT_EQ(tokenizer->token_text(1'000'000), "");
  EXPECT_EQ(tokenizer->token_type(1'000'000), TokenType::unknown);
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{1'000'000}), "");
}

TEST(Tokenizer, sentencepiece_merges_by_score_and_falls_back_to_bytes) {
  const auto tokenizer = build(sentencepiece_vocabulary({"▁t", "he", "▁the", "h", "e", "▁", "t", "日"}));
  EXPECT_THAT(spelled(*tokenizer, " the"), ElementsAre("▁the"));
  EXPECT_THAT(spelled(*tokenizer, "日本"), ElementsAre("日", "<0xE6>", "<0x9C>", "<0xAC>"));
  EXPECT_THAT(spelled(*tokenizer, "\xFF"), ElementsAre("<0xFF>"));
}

TEST(Tokenizer, sentencepiece_joins_through_characters_that_are_no_tokens) {
  const auto tokenizer = build(sentencepiece_vocabulary({"xyz", "xy", "x", "z"}));
  EXPECT_THAT(spelled(*tokenizer, "xyz"), ElementsAre("xyz"));
  EXPECT_THAT(spelled(*tokenizer, "yz"), ElementsAre("<0x79>", "z"));
}

TEST(Tokenizer, a_space_prefix_begins_the_text_and_what_follows_a_special_token) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"▁a", "▁", "a"}, {{"<s>", TokenType::control}});
  vocabulary.add_space_prefix = true;
  const auto tokenizer = build(vocabulary);
  EXPECT_THAT(spelled(*tokenizer, "a"), ElementsAre("▁a"));
  EXPECT_THAT(spelled(*tokenizer, "a<s>a", Trust::trusted), ElementsAre("▁a", "<s>", "▁a"));
  EXPECT_THAT(spelled(*tokenizer, ""), IsEmpty());
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("a a", Trust::user)), "a a");
}

TEST(Tokenizer, says_what_is_wrong_with_a_vocabulary) {
  EXPECT_THAT(corrupt_message({}), HasSubstr("no tokens"));
  Vocabulary vocabulary = english();
  vocabulary.types.pop_back();
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("token types"));
  vocabulary = english();
  vocabulary.tokens[7] = vocabulary.tokens[5];
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("Tokens 5 and 7 are spelled alike"));
  vocabulary = english();
  vocabulary.merges.push_back("zz z");
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("Merge 7 (\"zz z\") names a token"));
  vocabulary.merges.back() = "z z";
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("makes a token"));
  vocabulary.merges.back() = "z";
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("does not name two tokens"));
  vocabulary = english();
  vocabulary.eos = 9999;
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("EOS token is 9999"));
  vocabulary = english();
  vocabulary.tokens.back() = std::string(2000, 'x');
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("2000 bytes"));
  vocabulary = english();
  vocabulary.types.back() = static_cast<TokenType>(9);
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("unknown type 9"));
}

TEST(Tokenizer, says_what_is_wrong_with_scores) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"a", "b"});
  vocabulary.scores.pop_back();
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("scores"));
  vocabulary.scores.push_back(std::nanf(""));
  EXPECT_THAT(corrupt_message(vocabulary), HasSubstr("not a number"));
}

}  // namespace
}  // namespace stint::tokenizer
