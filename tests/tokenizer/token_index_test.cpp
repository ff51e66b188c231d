#include "tokenizer/token_index.h"

#include <gtest/gtest.h>

#include <string>

namespace stint::tokenizer {
namespace {

TEST(TokenIndex, finds_what_was_inserted) {
  std::vector<std::string> keys;
  for (int i = 0; i < 1'000; ++i) keys.push_back(std::to_string(i));
  TokenIndex index(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_TRUE(index.insert(keys[i], static_cast<TokenId>(i)));
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(index.find(keys[i]), static_cast<TokenId>(i));
  EXPECT_EQ(index.find("1000"), std::nullopt);
}

TEST(TokenIndex, keeps_the_first_of_two) {
  TokenIndex index(2);
  EXPECT_TRUE(index.insert("a", 1));
  EXPECT_FALSE(index.insert("a", 2));
  EXPECT_EQ(index.find("a"), TokenId{1});
}

TEST(TokenIndex, an_empty_index_finds_nothing) {
  EXPECT_EQ(TokenIndex().find("a"), std::nullopt);
}

}  // namespace
}  // namespace stint::tokenizer
