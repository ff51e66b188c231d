#include "tokenizer/merge_queue.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

class Fixture {
 public:
  explicit Fixture(const Vocabulary& vocabulary)
      : tokens(TokenTable::build(vocabulary).value()), rules(MergeRules::build(vocabulary, tokens).value()) {}
  std::vector<std::string> encode(std::string_view piece) {
    std::vector<TokenId> out;
    queue.encode(rules, piece, out);
    std::vector<std::string> texts;
    for (const TokenId token : out) texts.emplace_back(tokens.text(token));
    return texts;
  }
  TokenTable tokens;
  MergeRules rules;
  MergeQueue queue;
};

using Texts = std::vector<std::string>;

TEST(MergeQueue, equal_pairs_merge_from_left_to_right) {
  Fixture fixture(byte_vocabulary({{"a", "a"}}));
  EXPECT_EQ(fixture.encode("aaaaa"), (Texts{"aa", "aa", "a"}));
}

TEST(MergeQueue, a_better_rank_goes_first_wherever_it_stands) {
  Fixture fixture(byte_vocabulary({{"b", "c"}, {"a", "b"}}));
  EXPECT_EQ(fixture.encode("abc"), (Texts{"a", "bc"}));
  EXPECT_EQ(fixture.encode("ab"), (Texts{"ab"}));
}

TEST(MergeQueue, a_merge_may_open_the_way_for_a_better_one) {
  Fixture fixture(byte_vocabulary({{"ab", "c"}, {"c", "d"}, {"a", "b"}}));
  EXPECT_EQ(fixture.encode("abcd"), (Texts{"ab", "cd"}));
  EXPECT_EQ(fixture.encode("abc"), (Texts{"abc"}));
}

TEST(MergeQueue, equal_scores_merge_from_left_to_right) {
  Vocabulary vocabulary = sentencepiece_vocabulary({"a", "b", "ab", "ba"});
  std::fill(vocabulary.scores.begin(), vocabulary.scores.end(), -1.0F);
  EXPECT_EQ(Fixture(vocabulary).encode("bab"), (Texts{"ba", "b"}));
}

TEST(MergeQueue, tells_whether_symbols_stay_apart) {
  Fixture fixture(byte_vocabulary({{"b", "c"}, {"a", "b"}, {"c", "d"}}));
  const auto id = [&](std::string_view text) { return *fixture.tokens.find(text); };
  EXPECT_TRUE(fixture.queue.leaves_apart(fixture.rules, id("ab"), id("ab")));
  EXPECT_FALSE(fixture.queue.leaves_apart(fixture.rules, id("ab"), id("c")));
  EXPECT_TRUE(fixture.queue.reaches(fixture.rules, id("bc")));
}

TEST(MergeQueue, an_empty_piece_has_no_tokens) {
  EXPECT_EQ(Fixture(byte_vocabulary({})).encode(""), Texts{});
}

}  // namespace
}  // namespace stint::tokenizer
