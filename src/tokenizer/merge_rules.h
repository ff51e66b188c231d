// What byte pair encoding needs to know of a vocabulary: the first symbols of a text, the merges, and what each symbol
// is written as. Immutable after build and thread-safe; refers to the TokenTable's strings, which must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/token_index.h"
#include "tokenizer/token_table.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

inline constexpr std::size_t kMergeCountMax = std::size_t{1} << 22;

class MergeRules {
 public:
  // Errors: corrupt (a merge names no token, a score is not a number, sizes).
  static Result<MergeRules> build(const Vocabulary& vocabulary, const TokenTable& tokens);

  // The symbol that merging starts from at `position`, a byte or (SentencePiece) a character, and its size in bytes.
  // kNoSymbol: text that occurs in no token. Requires position < piece.size().
  SymbolId first_symbol(std::string_view piece, std::size_t position, std::size_t& size) const;
  Merge merge(SymbolId left, SymbolId right) const { return merges_.find(left, right); }
  // The symbol whose bytes are exactly `bytes`, of those merges can produce; kNoSymbol if none.
  SymbolId symbol_of(std::string_view bytes) const {
    const auto found = by_bytes_.find(bytes);
    return found ? *found : kNoSymbol;
  }
  bool is_token(SymbolId symbol) const { return symbol < token_count_; }
  // Byte-level vocabularies may lack bytes. Without an unknown token these bytes are left out before merging, as if
  // they were not in the text: so does HF's library.
  bool drops_unknown() const { return algorithm_ == Algorithm::byte_level_bpe && !unknown_; }
  // Writes text that is no token: as byte tokens, else as the unknown token, else not at all.
  void append_untokenizable(std::string_view bytes, std::vector<TokenId>& out) const;

 private:
  Result<void> add_merge(const TokenTable& tokens, std::string_view spelled, std::size_t index);
  Result<void> add_listed_merges(const TokenTable& tokens, const std::vector<std::string>& merges);
  Result<void> add_scored_merges(const TokenTable& tokens, const std::vector<float>& scores);
  void add_characters(const TokenTable& tokens);

  std::size_t token_count_ = 0;
  Algorithm algorithm_ = Algorithm::byte_level_bpe;
  std::optional<TokenId> unknown_;
  std::array<std::optional<TokenId>, 256> byte_tokens_{};
  TokenIndex by_bytes_;
  std::array<SymbolId, 256> byte_symbols_{};
  MergeTable merges_;
};

}  // namespace stint::tokenizer
