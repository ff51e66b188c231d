#include "tokenizer/merge_table.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "platform/base/random.h"

namespace stint::tokenizer {
namespace {

TEST(MergeTable, an_empty_table_joins_nothing) {
  EXPECT_EQ(MergeTable().find(0, 0), kNeverMerges);
}

TEST(MergeTable, agrees_with_a_map) {
  base::Random random(1);
  std::map<std::pair<TokenId, TokenId>, MergeRank> reference;
  MergeTable table(5'000);
  for (MergeRank rank = 0; rank < 5'000; ++rank) {
    const auto left = static_cast<TokenId>(random.below(1 << 20));
    const auto right = static_cast<TokenId>(random.below(60));
    table.insert(left, right, rank);
    reference.emplace(std::pair(left, right), rank);
  }
  for (const auto& [pair, rank] : reference) {
    ASSERT_EQ(table.find(pair.first, pair.second), rank);
    ASSERT_EQ(table.find(pair.first, pair.second + 100), kNeverMerges);
  }
}

TEST(MergeTable, the_first_of_two_merges_of_a_pair_stays) {
  MergeTable table(2);
  table.insert(3, 4, 0);
  table.insert(3, 4, 1);
  EXPECT_EQ(table.find(3, 4), 0u);
  EXPECT_EQ(table.find(4, 3), kNeverMerges);
}

}  // namespace
}  // namespace stint::tokenizer
