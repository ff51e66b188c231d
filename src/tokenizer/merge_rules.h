// What byte pair encoding needs to know of a vocabulary: the symbols, which of them join into which, and who goes
// first. Listed merges have the rank of their place in the list; SentencePiece joins any two symbols whose bytes
// together are a token, and the rank is that token's score. Immutable after build and thread-safe; the TokenTable it
// was built from must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/token_table.h"
#include "tokenizer/token_trie.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

struct Merge {
  MergeRank rank = kNeverMerges;
  SymbolId product = kNoSymbol;
};

class MergeRules {
 public:
  // Errors: corrupt (a merge names no token, a score is not a number, sizes).
  static Result<MergeRules> build(const Vocabulary& vocabulary, const TokenTable& tokens);

  // Symbols are numbered from 0; those below the token count are tokens.
  std::size_t symbol_count() const { return bytes_.size(); }
  bool is_token(SymbolId symbol) const { return symbol < token_count_; }
  std::string_view bytes(SymbolId symbol) const { return bytes_[symbol]; }
  const TokenTrie& trie() const { return trie_; }
  // The longest other symbol that begins `symbol`, kNoSymbol if there is none.
  SymbolId prefix(SymbolId symbol) const { return places_[symbol].prefix; }
  // To be told once, while building: merges never produce this symbol.
  void mark_unreachable(SymbolId symbol) { trie_.mark_unreachable(places_[symbol].node); }
  // The symbol whose bytes are exactly these, kNoSymbol if none.
  SymbolId symbol_of(std::string_view bytes) const {
    const TokenTrie::Node node = trie_.walk(bytes);
    return node == TokenTrie::kNowhere ? kNoSymbol : trie_.symbol(node);
  }
  // The size of the byte or (SentencePiece) character at `position`, where merging starts from. Requires position <
  // size.
  std::size_t first_size(std::string_view text, std::size_t position) const;
  bool is_first(SymbolId symbol) const { return bytes(symbol).size() == first_size(bytes(symbol), 0); }

  MergeRank rank(SymbolId left, SymbolId right) const {
    return by_score_ ? scored(left, right).rank : listed_.find(left, right);
  }
  Merge merge(SymbolId left, SymbolId right) const {
    if (by_score_) return scored(left, right);
    const MergeRank rank = listed_.find(left, right);
    return rank == kNeverMerges ? Merge{} : Merge{rank, list_[rank].product};
  }
  // Calls visit(left, right, rank, product) for every merge, those with products of fewer bytes first. `known(symbol)`
  // tells which symbols matter: merges of others may be left out.
  template <typename Known, typename Visit>
  void for_each_merge(Known&& known, Visit&& visit) const;

  // Byte-level vocabularies may lack bytes. Without an unknown token these bytes are left out before merging, as if
  // they were not in the text: so does HF's library.
  bool drops_unknown() const { return !by_score_ && !unknown_; }
  // Writes text that is no token: as byte tokens, else as the unknown token, else not at all.
  void append_untokenizable(std::string_view bytes, std::vector<TokenId>& out) const;

 private:
  struct Listed {
    SymbolId left = kNoSymbol, right = kNoSymbol, product = kNoSymbol;
  };
  Result<void> add_listed(const Vocabulary& vocabulary, const TokenTable& tokens);
  Result<void> add_scored(const Vocabulary& vocabulary, const TokenTable& tokens);
  Result<Listed> parse_merge(const TokenTable& tokens, std::string_view spelled, std::size_t index) const;
  void add_lone_characters(const TokenTable& tokens);
  Result<void> build_trie(const TokenTable& tokens);
  Merge scored(SymbolId left, SymbolId right) const {
    const TokenTrie::Node node = trie_.walk(bytes_[right], places_[left].node);
    if (node == TokenTrie::kNowhere) return {};
    const SymbolId product = trie_.symbol(node);
    return product == kNoSymbol ? Merge{} : Merge{ranks_[product], product};
  }
  // The numbers 0, 1, ... of `count` things in the order of their sizes.
  template <typename Size>
  static std::vector<std::uint32_t> by_size(std::size_t count, Size&& size);

  bool by_score_ = false;
  std::size_t token_count_ = 0;
  std::optional<TokenId> unknown_;
  std::array<std::optional<TokenId>, 256> byte_tokens_{};
  std::vector<std::string_view> bytes_;  // by symbol
  TokenTrie trie_;
  std::vector<TokenTrie::Place> places_;  // by symbol
  MergeTable listed_;
  std::vector<Listed> list_;      // by rank
  std::vector<MergeRank> ranks_;  // SentencePiece: by product
};

template <typename Size>
std::vector<std::uint32_t> MergeRules::by_size(std::size_t count, Size&& size) {
  std::vector<std::uint32_t> starts(kTokenSizeMax + 2);
  for (std::size_t i = 0; i < count; ++i) ++starts[size(i) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<std::uint32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[starts[size(i)]++] = static_cast<std::uint32_t>(i);
  return order;
}

template <typename Known, typename Visit>
void MergeRules::for_each_merge(Known&& known, Visit&& visit) const {
  const auto listed_size = [this](std::size_t rank) {
    return list_[rank].product == kNoSymbol ? 0 : bytes_[list_[rank].product].size();
  };
  for (const std::uint32_t rank : by_size(list_.size(), listed_size)) {
    const auto& [left, right, product] = list_[rank];
    if (product == kNoSymbol || !known(left) || !known(right)) continue;
    if (listed_.find(left, right) == rank) visit(left, right, rank, product);  // else: the pair is listed twice
  }
  if (!by_score_) return;
  for (const std::uint32_t product : by_size(bytes_.size(), [this](std::size_t i) { return bytes_[i].size(); })) {
    const std::string_view bytes = bytes_[product];
    if (bytes.empty() || ranks_[product] == kNeverMerges) continue;
    for (SymbolId left = prefix(product); left != kNoSymbol; left = prefix(left)) {
      if (!known(left)) continue;
      const SymbolId right = symbol_of(bytes.substr(bytes_[left].size()));
      if (right != kNoSymbol && known(right)) visit(left, right, ranks_[product], product);
    }
  }
}

}  // namespace stint::tokenizer
