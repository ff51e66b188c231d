#include "tokenizer/lineage.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"
#include "tokenizer/merge_queue.h"

namespace stint::tokenizer {
namespace {

class Fixture {
 public:
  explicit Fixture(const std::vector<std::pair<std::string, std::string>>& merges) : Fixture(byte_vocabulary(merges)) {}
  explicit Fixture(const Vocabulary& vocabulary)
      : tokens(TokenTable::build(vocabulary).value()),
        rules(MergeRules::build(vocabulary, tokens).value()),
        lineage(Lineage::build(rules)) {}
  SymbolId id(std::string_view text) const { return *tokens.find(text); }
  bool compatible(std::string_view left, std::string_view right) const {
    return lineage->compatible(rules, id(left), id(right));
  }
  bool reachable(std::string_view text) const {
    return rules.trie().reachable_symbol(rules.trie().walk(text)) != kNoSymbol;
  }
  TokenTable tokens;
  MergeRules rules;
  std::optional<Lineage> lineage;
};

TEST(Lineage, a_merge_across_the_border_that_comes_first_forbids_a_pair) {
  const Fixture fixture({{"b", "c"}, {"a", "b"}, {"c", "d"}});
  EXPECT_FALSE(fixture.compatible("ab", "c"));  // b and c join before a and b do
  EXPECT_TRUE(fixture.compatible("ab", "ab"));
  EXPECT_FALSE(fixture.compatible("a", "b"));
  EXPECT_TRUE(fixture.compatible("a", "bc"));
}

TEST(Lineage, of_equal_pairs_the_left_one_joins) {
  const Fixture fixture({{"a", "a"}});
  EXPECT_TRUE(fixture.compatible("aa", "a"));
  EXPECT_FALSE(fixture.compatible("a", "aa"));
}

TEST(Lineage, marks_tokens_that_merges_never_reach) {
  // abc is listed as a + bc, but a and b join before there is a bc.
  const Fixture fixture({{"a", "b"}, {"b", "c"}, {"a", "bc"}});
  EXPECT_FALSE(fixture.reachable("abc"));
  EXPECT_TRUE(fixture.reachable("bc"));
}

TEST(Lineage, knows_the_next_shorter_symbol) {
  const Fixture fixture({{"a", "b"}, {"ab", "c"}, {"abc", "d"}});
  EXPECT_EQ(fixture.lineage->shorter(fixture.id("abcd")), fixture.id("abc"));
  EXPECT_EQ(fixture.lineage->shorter(fixture.id("ab")), fixture.id("a"));
  EXPECT_EQ(fixture.lineage->shorter(fixture.id("a")), kNoSymbol);
  EXPECT_EQ(fixture.lineage->size(fixture.id("abcd")), 4u);
}

TEST(Lineage, a_part_that_ranks_after_the_whole_makes_it_irregular) {
  std::vector<std::pair<std::string, std::string>> merges = {{"ab", "c"}, {"a", "b"}};
  for (char c = 'd'; c < 'p'; ++c) merges.emplace_back("z", std::string(1, c));
  const Fixture fixture(merges);
  ASSERT_TRUE(fixture.lineage);
  EXPECT_TRUE(fixture.lineage->is_irregular(fixture.id("abc")));
  EXPECT_FALSE(fixture.lineage->is_irregular(fixture.id("ab")));
}

TEST(Lineage, agrees_with_merging_on_all_pairs_of_random_vocabularies) {
  base::Random random(31);
  MergeQueue queue;
  for (int round = 0; round < 20; ++round) {
    Fixture fixture(random_merges(random, "ab", 25));
    for (SymbolId left = 0; left < fixture.rules.symbol_count(); ++left) {
      for (SymbolId right = 0; right < fixture.rules.symbol_count(); ++right) {
        const std::string_view both[] = {fixture.tokens.bytes(left), fixture.tokens.bytes(right)};
        const bool known = both[0].find_first_not_of("ab") == std::string_view::npos &&
                           both[1].find_first_not_of("ab") == std::string_view::npos;
        if (!known || !fixture.reachable(both[0]) || !fixture.reachable(both[1])) continue;
        ASSERT_EQ(fixture.lineage->compatible(fixture.rules, left, right),
                  queue.leaves_apart(fixture.rules, left, right))
            << both[0] << " " << both[1];
      }
    }
  }
}

}  // namespace
}  // namespace stint::tokenizer
