// Encodes one piece without merging: takes the longest symbol that fits behind the one before, and where none does,
// steps back and takes a shorter one. Each position is found impossible at most once, so the time is linear in the
// piece. Not thread-safe: holds working memory that is reused from piece to piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/lineage.h"
#include "tokenizer/merge_queue.h"
#include "tokenizer/merge_rules.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

class PieceEncoder {
 public:
  // Appends the tokens of `piece`. Requires piece.size() < 2^32. Always the same rules and lineage, as it remembers
  // pairs.
  void encode(const MergeRules& rules, const Lineage& lineage, std::string_view piece, std::vector<TokenId>& out);
  // Bytes of working memory that long pieces have left behind.
  std::size_t memory_size() const;

 private:
  static constexpr unsigned kPairCountLog2 = 15;  // 256 KiB

  void start(std::size_t size);
  void keep_known(const MergeRules& rules, std::string_view piece);
  bool advance(const MergeRules& rules, const Lineage& lineage, std::string_view piece);
  bool fits(const MergeRules& rules, const Lineage& lineage, SymbolId next);
  bool compatible(const MergeRules& rules, const Lineage& lineage, SymbolId left, SymbolId right);
  void flush(const MergeRules& rules, std::vector<TokenId>& out);

  std::size_t position_ = 0;               // where the next symbol begins
  std::vector<SymbolId> path_;             // the symbols chosen so far
  std::vector<std::uint64_t> impossible_;  // a bit for each position: no encoding has a border there
  // Direct-mapped: pair and whether it is compatible. Symbols have less than 22 bits.
  std::vector<std::uint64_t> pairs_ = std::vector<std::uint64_t>(std::size_t{1} << kPairCountLog2);
  MergeQueue queue_;
  std::string kept_;
};

}  // namespace stint::tokenizer
