#include "tokenizer/token_trie.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "platform/base/random.h"

namespace stint::tokenizer {
namespace {

TokenTrie build(const std::vector<std::string>& strings) {
  std::vector<TokenTrie::Entry> entries;
  for (const std::string& text : strings) entries.push_back({text, static_cast<SymbolId>(entries.size())});
  std::vector<TokenTrie::Place> places(strings.size());
  auto trie = TokenTrie::build(entries, places);
  EXPECT_TRUE(trie);
  return trie ? std::move(*trie) : TokenTrie();
}

SymbolId find(const TokenTrie& trie, std::string_view text) {
  const TokenTrie::Node node = trie.walk(text);
  return node == TokenTrie::kNowhere ? kNoSymbol : trie.symbol(node);
}

TEST(TokenTrie, finds_its_strings_and_no_others) {
  const TokenTrie trie = build({"a", "abc", std::string("\0", 1), std::string("a\0b", 3), "\xFF\xFF"});
  EXPECT_EQ(find(trie, "a"), 0u);
  EXPECT_EQ(find(trie, "abc"), 1u);
  EXPECT_EQ(find(trie, std::string_view("\0", 1)), 2u);
  EXPECT_EQ(find(trie, std::string_view("a\0b", 3)), 3u);
  EXPECT_EQ(find(trie, "\xFF\xFF"), 4u);
  for (const char* other : {"ab", "b", "abcd", "\xFF", ""}) EXPECT_EQ(find(trie, other), kNoSymbol) << other;
}

TEST(TokenTrie, the_longest_reachable_prefix_wins) {
  TokenTrie trie = build({"a", "ab", "abcd"});
  EXPECT_EQ(trie.longest("abcx"), 1u);
  EXPECT_EQ(trie.longest("abcde"), 2u);
  EXPECT_EQ(trie.longest("x"), kNoSymbol);
  EXPECT_EQ(trie.longest(""), kNoSymbol);
  trie.mark_unreachable(trie.walk("ab"));
  EXPECT_EQ(trie.longest("abcx"), 0u);
  EXPECT_EQ(find(trie, "ab"), 1u);
  EXPECT_EQ(trie.reachable_symbol(trie.walk("ab")), kNoSymbol);
}

TEST(TokenTrie, of_equal_strings_the_first_counts) {
  EXPECT_EQ(find(build({"x", "a", "a"}), "a"), 1u);
}

TEST(TokenTrie, tells_where_symbols_stand) {
  const std::vector<TokenTrie::Entry> entries = {{"abc", 0}, {"a", 1}, {"b", 2}};
  std::vector<TokenTrie::Place> places(3);
  const auto trie = TokenTrie::build(entries, places);
  ASSERT_TRUE(trie);
  EXPECT_EQ(places[0].prefix, 1u);
  EXPECT_EQ(places[1].prefix, kNoSymbol);
  EXPECT_EQ(places[0].node, trie->walk("abc"));
}

TEST(TokenTrie, an_empty_trie_finds_nothing) {
  EXPECT_EQ(TokenTrie().longest("abc"), kNoSymbol);
  EXPECT_EQ(build({}).longest("abc"), kNoSymbol);
}

TEST(TokenTrie, agrees_with_a_map_on_random_strings) {
  base::Random random(5);
  std::map<std::string, SymbolId> reference;
  std::vector<std::string> strings;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t size = 1 + random.below(10); size > 0; --size) {
      text.push_back(static_cast<char>(random.below(3) == 0 ? random.below(256) : 'a' + random.below(4)));
    }
    if (reference.emplace(text, strings.size()).second) strings.push_back(text);
  }
  const TokenTrie trie = build(strings);
  for (const auto& [text, symbol] : reference) {
    ASSERT_EQ(find(trie, text), symbol);
    std::string other = text;
    other[random.below(other.size())] = static_cast<char>(random.below(256));
    const auto known = reference.find(other);
    ASSERT_EQ(find(trie, other), known == reference.end() ? kNoSymbol : known->second);
  }
}

}  // namespace
}  // namespace stint::tokenizer
