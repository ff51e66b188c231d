// Byte pair encoding by its definition: join the pair of lowest rank, leftmost first, until none joins. A heap of
// candidate pairs makes it O(n log n) for any vocabulary and any piece. Not thread-safe: holds the working memory of
// one piece, reused from piece to piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/merge_rules.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

class MergeQueue {
 public:
  // Appends the tokens of `piece`. Requires piece.size() < 2^32.
  void encode(const MergeRules& rules, std::string_view piece, std::vector<TokenId>& out);
  // Whether merging the bytes of `left` and `right`, side by side, leaves these two symbols.
  bool leaves_apart(const MergeRules& rules, SymbolId left, SymbolId right);
  // Whether merging the bytes of `symbol` gives `symbol`.
  bool reaches(const MergeRules& rules, SymbolId symbol);
  // Bytes of working memory that long pieces have left behind.
  std::size_t memory_size() const {
    return symbols_.capacity() * sizeof(Symbol) + heap_.capacity() * sizeof(Candidate) + pair_.capacity();
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  struct Symbol {
    SymbolId id;
    std::uint32_t begin, size;     // its bytes in the piece; size 0: absorbed by its left neighbour
    std::uint32_t previous, next;  // neighbours in symbols_
  };
  struct Candidate {
    MergeRank rank;
    std::uint32_t left;  // index of the left symbol; its order is the order in the text
    SymbolId left_id, right_id, product;
    // std::push_heap keeps the largest on top.
    bool operator<(const Candidate& other) const { return rank != other.rank ? rank > other.rank : left > other.left; }
  };
  void merge(const MergeRules& rules, std::string_view piece);
  void split(const MergeRules& rules, std::string_view piece);
  void push(const MergeRules& rules, std::uint32_t left);
  void join(const MergeRules& rules, const Candidate& candidate);

  std::vector<Symbol> symbols_;
  std::vector<Candidate> heap_;
  std::string pair_;
};

}  // namespace stint::tokenizer
