// How each symbol comes about by merges, and from that: may two symbols stand side by side in an encoding?
// Immutable after build and thread-safe; refers to no one. 18 bytes a symbol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tokenizer/merge_rules.h"

namespace stint::tokenizer {

// Encoding makes merges in the order of their ranks, and a merge inside a stretch of text does not depend on what
// stands outside as long as nothing joins across its borders. So a sequence of symbols is the encoding of its bytes
// exactly if every two neighbours are, which makes an encoder possible that never merges (van Antwerpen and Neubeck,
// "So many tokens, so little time", 2024). Two symbols may stand side by side if no merge joins them across the border
// earlier than the merges that make them: compatible() walks down both sides of the border in the reverse of the order
// in which they were made.
//
// That walk needs ranks that order the merges of a symbol, each after those that make its parts. Where a vocabulary was
// extended later (Llama 3: 28,000 tokens beyond cl100k's) some symbols have a part that ranks after the whole; these
// are irregular, and so is all that is made of them: they are rare, and asked about by merging in earnest.
class Lineage {
 public:
  // Marks the symbols that merges never reach in the trie of `rules`. Nothing if so many symbols are irregular that
  // encoding by merges is the better way; no trained vocabulary is like that.
  static std::optional<Lineage> build(MergeRules& rules);

  bool is_irregular(SymbolId symbol) const { return origins_[symbol].time == kIrregular; }
  // Whether the encoding of the two symbols' bytes is these two symbols. Requires both reachable and regular.
  // O(depth of their merges).
  bool compatible(const MergeRules& rules, SymbolId left, SymbolId right) const {
    MergeRank limit = kNeverMerges;
    while (true) {
      if (rules.rank(left, right) < limit) return false;
      if (!descend(left, right, limit)) return true;
    }
  }
  // The longest reachable symbol that is a proper prefix of `symbol`, kNoSymbol if there is none.
  SymbolId shorter(SymbolId symbol) const { return origins_[symbol].shorter; }
  std::uint32_t size(SymbolId symbol) const { return sizes_[symbol]; }

 private:
  // Time 0: there from the start; else the rank of its merge plus 1.
  static constexpr std::uint32_t kUnmade = ~std::uint32_t{0};
  static constexpr std::uint32_t kIrregular = kUnmade - 1;
  struct Origin {
    SymbolId left = kNoSymbol, right = kNoSymbol;
    std::uint32_t time = kUnmade;
    SymbolId shorter = kNoSymbol;
  };

  // Undoes the later of the merges that made the two symbols, so that the pair is one that met at the border before.
  // `limit` becomes the rank below which a merge across the border would have come first; of equal ranks the leftmost
  // does. False if neither was made by a merge.
  bool descend(SymbolId& left, SymbolId& right, MergeRank& limit) const {
    const std::uint32_t left_time = origins_[left].time;
    const std::uint32_t right_time = origins_[right].time;
    if (right_time >= left_time) {
      if (right_time == 0) return false;
      limit = right_time;
      right = origins_[right].left;
    } else {
      limit = left_time - 1;
      left = origins_[left].right;
    }
    return true;
  }
  void add_first_symbols(const MergeRules& rules);
  void add_merge(const MergeRules& rules, SymbolId left, SymbolId right, MergeRank rank, SymbolId product);
  bool makes(const MergeRules& rules, SymbolId left, SymbolId right) const;
  void find_shorter(const MergeRules& rules);

  std::vector<Origin> origins_;
  std::vector<std::uint16_t> sizes_;
};

}  // namespace stint::tokenizer
