#include "tokenizer/piece_encoder.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"
#include "tokenizer/merge_queue.h"

namespace stint::tokenizer {
namespace {

// All three ways to encode must agree: the definition on strings, the heap of merges, and the walk without merges.
class Encoders {
 public:
  explicit Encoders(const Vocabulary& vocabulary)
      : tokens_(TokenTable::build(vocabulary).value()),
        rules_(MergeRules::build(vocabulary, tokens_).value()),
        lineage_(Lineage::build(rules_)) {}

  bool has_lineage() const { return lineage_.has_value(); }
  std::size_t irregular_count() const {
    std::size_t count = 0;
    for (SymbolId symbol = 0; symbol < rules_.symbol_count(); ++symbol) count += lineage_->is_irregular(symbol);
    return count;
  }
  std::vector<TokenId> by_queue(std::string_view piece) {
    std::vector<TokenId> out;
    queue_.encode(rules_, piece, out);
    return out;
  }
  std::vector<TokenId> by_walk(std::string_view piece) {
    std::vector<TokenId> out;
    encoder_.encode(rules_, *lineage_, piece, out);
    return out;
  }
  std::vector<std::string> bytes_of(const std::vector<TokenId>& ids) const {
    std::vector<std::string> result;
    for (const TokenId id : ids) result.emplace_back(tokens_.bytes(id));
    return result;
  }

 private:
  TokenTable tokens_;
  MergeRules rules_;
  std::optional<Lineage> lineage_;
  MergeQueue queue_;
  PieceEncoder encoder_;
};

using Merges = std::vector<std::pair<std::string, std::string>>;

std::string random_piece(base::Random& random, std::string_view letters, std::size_t size_max) {
  std::string piece;
  for (std::uint64_t size = 1 + random.below(size_max); size > 0; --size)
    piece += letters[random.below(letters.size())];
  return piece;
}

std::vector<std::string> by_definition(const Merges& merges, std::string_view piece) {
  std::map<std::pair<std::string, std::string>, std::size_t> ranks;
  for (std::size_t i = 0; i < merges.size(); ++i) ranks.emplace(merges[i], i);
  std::vector<std::string> symbols;
  for (const char byte : piece) symbols.emplace_back(1, byte);
  return merge_slowly(symbols, ranks);
}

TEST(PieceEncoder, agrees_with_the_definition_on_random_vocabularies) {
  base::Random random(21);
  for (int round = 0; round < 25; ++round) {
    const Merges merges = random_merges(random, "abc", 5 + random.below(60));
    Encoders encoders(byte_vocabulary(merges));
    ASSERT_TRUE(encoders.has_lineage());
    for (int i = 0; i < 30; ++i) {
      const std::string piece = random_piece(random, "abc", 30);
      const auto expected = by_definition(merges, piece);
      ASSERT_EQ(encoders.bytes_of(encoders.by_queue(piece)), expected) << piece;
      ASSERT_EQ(encoders.bytes_of(encoders.by_walk(piece)), expected) << piece;
    }
  }
}

// Every split of every product, in any order: symbols that merges never reach, parts that rank after their whole.
TEST(PieceEncoder, agrees_with_the_definition_when_the_ranks_are_shuffled) {
  base::Random random(22);
  std::size_t irregular_count = 0;
  std::size_t round_count = 0;
  for (int round = 0; round < 50; ++round) {
    Merges merges = random_merges(random, "ab", 8);
    for (std::size_t i = merges.size() - 1; i > 0; --i) {
      if (random.below(6) == 0) std::swap(merges[i], merges[random.below(i + 1)]);
    }
    Encoders encoders(byte_vocabulary(merges));
    const bool walks = encoders.has_lineage();
    if (walks) irregular_count += encoders.irregular_count();
    round_count += walks;
    for (int i = 0; i < 30; ++i) {
      const std::string piece = random_piece(random, "ab", 24);
      const auto expected = by_definition(merges, piece);
      ASSERT_EQ(encoders.bytes_of(encoders.by_queue(piece)), expected) << piece;
      if (walks) ASSERT_EQ(encoders.bytes_of(encoders.by_walk(piece)), expected) << piece;
    }
  }
  EXPECT_GT(irregular_count, 5u);
  EXPECT_GT(round_count, 40u);
}

// Two lists of different origin make the same tokens in several ways, as Llama 3's does.
TEST(PieceEncoder, agrees_with_the_definition_when_tokens_have_several_merges) {
  base::Random random(23);
  for (int round = 0; round < 25; ++round) {
    Merges merges = random_merges(random, "ab", 12);
    std::set<std::string> known = {"a", "b"};
    for (const auto& [left, right] : merges) known.insert(left + right);
    for (const std::string& token : known) {
      for (std::size_t split = 1; split < token.size(); ++split) {
        const std::pair<std::string, std::string> merge(token.substr(0, split), token.substr(split));
        const bool possible = known.contains(merge.first) && known.contains(merge.second);
        if (possible && std::find(merges.begin(), merges.end(), merge) == merges.end()) {
          merges.insert(merges.begin() + static_cast<std::ptrdiff_t>(random.below(merges.size() + 1)), merge);
        }
      }
    }
    Encoders encoders(byte_vocabulary(merges));
    for (int i = 0; i < 30; ++i) {
      const std::string piece = random_piece(random, "ab", 24);
      const auto expected = by_definition(merges, piece);
      ASSERT_EQ(encoders.bytes_of(encoders.by_queue(piece)), expected) << piece;
      if (encoders.has_lineage()) ASSERT_EQ(encoders.bytes_of(encoders.by_walk(piece)), expected) << piece;
    }
  }
}

// Scores may tie, and the leftmost of equal pairs goes first; characters may be no tokens.
TEST(PieceEncoder, agrees_with_the_queue_on_scores) {
  base::Random random(24);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> pieces = {"a", "b"};
    for (const auto& [left, right] : random_merges(random, "abc", 20)) pieces.push_back(left + right);
    Vocabulary vocabulary = sentencepiece_vocabulary(pieces);
    for (float& score : vocabulary.scores) score = static_cast<float>(random.below(12));
    Encoders encoders(vocabulary);
    if (!encoders.has_lineage()) continue;
    for (int i = 0; i < 30; ++i) {
      const std::string piece = random_piece(random, "abcd\xFF", 24);
      ASSERT_EQ(encoders.by_walk(piece), encoders.by_queue(piece)) << piece;
    }
  }
}

TEST(PieceEncoder, bytes_of_no_token_are_left_out_before_merging) {
  Vocabulary vocabulary = byte_vocabulary({{"a", "b"}});
  vocabulary.tokens['x'] = "unused";
  vocabulary.types['x'] = TokenType::control;
  Encoders encoders(vocabulary);
  EXPECT_EQ(encoders.bytes_of(encoders.by_walk("axb")), (std::vector<std::string>{"ab"}));
  EXPECT_EQ(encoders.bytes_of(encoders.by_walk("abxxxaxxb")), (std::vector<std::string>{"ab", "ab"}));
  EXPECT_EQ(encoders.by_walk("axbab"), encoders.by_queue("axbab"));
  EXPECT_EQ(encoders.by_walk("x"), std::vector<TokenId>{});
}

TEST(PieceEncoder, one_letter_a_million_times_is_linear) {
  Encoders encoders(byte_vocabulary({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}, {"a", "aa"}}));
  EXPECT_EQ(encoders.by_walk(std::string(1'000'001, 'a')).size(), 125'001u);
}

}  // namespace
}  // namespace stint::tokenizer
