#include "tokenizer/merge_rules.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

TEST(MergeRules, listed_merges_rank_by_their_place) {
  const Vocabulary vocabulary = byte_vocabulary({{"a", "b"}, {"b", "c"}});
  const TokenTable tokens = TokenTable::build(vocabulary).value();
  const MergeRules rules = MergeRules::build(vocabulary, tokens).value();
  EXPECT_EQ(rules.rank('a', 'b'), 0u);
  EXPECT_EQ(rules.rank('b', 'c'), 1u);
  EXPECT_EQ(rules.rank('a', 'c'), kNeverMerges);
  EXPECT_EQ(rules.merge('b', 'c').product, *tokens.find("bc"));
  EXPECT_EQ(rules.merge('c', 'c').product, kNoSymbol);
  EXPECT_EQ(rules.first_size("日", 0), 1u);
}

TEST(MergeRules, scored_merges_rank_by_score) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"a", "b", "ab", "ba", "aa"});
  vocabulary.scores = std::vector<float>(vocabulary.tokens.size(), 0.0F);
  const auto set_score = [&](std::size_t piece, float score) { vocabulary.scores[257 + piece] = score; };
  set_score(2, -1.5F);
  set_score(3, 2.5F);
  set_score(4, -0.0F);
  const TokenTable tokens = TokenTable::build(vocabulary).value();
  const MergeRules rules = MergeRules::build(vocabulary, tokens).value();
  const SymbolId a = *tokens.find("a");
  const SymbolId b = *tokens.find("b");
  EXPECT_LT(rules.rank(b, a), rules.rank(a, a));
  EXPECT_LT(rules.rank(a, a), rules.rank(a, b));
  EXPECT_EQ(rules.rank(b, b), kNeverMerges);
  EXPECT_EQ(rules.merge(a, b).product, *tokens.find("ab"));
  EXPECT_EQ(rules.first_size("日", 0), 3u);
}

TEST(MergeRules, characters_of_tokens_are_symbols_without_being_tokens) {
  const Vocabulary vocabulary = sentencepiece_vocabulary({"ab", "日a"});
  const TokenTable tokens = TokenTable::build(vocabulary).value();
  const MergeRules rules = MergeRules::build(vocabulary, tokens).value();
  EXPECT_EQ(rules.symbol_count(), tokens.count() + 3);
  const SymbolId character = rules.symbol_of("日");
  EXPECT_FALSE(rules.is_token(character));
  EXPECT_EQ(rules.merge(character, rules.symbol_of("a")).product, *tokens.find("日a"));
  EXPECT_EQ(rules.symbol_of("x"), kNoSymbol);
}

TEST(MergeRules, control_tokens_are_out_of_reach) {
  Vocabulary vocabulary = byte_vocabulary({{"a", "b"}});
  vocabulary.types.back() = TokenType::control;
  vocabulary.unknown = vocabulary.tokens.size() - 1;
  const TokenTable tokens = TokenTable::build(vocabulary).value();
  const MergeRules rules = MergeRules::build(vocabulary, tokens).value();
  EXPECT_EQ(rules.rank('a', 'b'), kNeverMerges);
  EXPECT_TRUE(rules.drops_unknown());
}

TEST(MergeRules, untokenizable_text_becomes_bytes_or_the_unknown_token) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"a"});
  vocabulary.tokens[1] = "zero";  // no byte token for 0x00
  vocabulary.types[1] = TokenType::normal;
  const TokenTable tokens = TokenTable::build(vocabulary).value();
  const MergeRules rules = MergeRules::build(vocabulary, tokens).value();
  std::vector<TokenId> out;
  rules.append_untokenizable(std::string_view("\x01\0", 2), out);
  EXPECT_EQ(out, (std::vector<TokenId>{2, 0}));
}

}  // namespace
}  // namespace stint::tokenizer
