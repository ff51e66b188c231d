// Everything a Tokenizer knows, built once: the parts that the encoder and the decoder share.
// Thread-safe: immutable after build, but for the pool of scratch memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "tokenizer/lineage.h"
#include "tokenizer/merge_rules.h"
#include "tokenizer/safe_boundary.h"
#include "tokenizer/scratch.h"
#include "tokenizer/special_tokens.h"
#include "tokenizer/token_table.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

struct Tokenizer::Tables {
  TokenTable tokens;
  MergeRules rules;
  std::optional<Lineage> lineage;  // none: the vocabulary's merges have to be carried out one by one
  SpecialTokens specials;
  SafeBoundary boundary;  // SentencePiece only
  Algorithm algorithm;
  PreTokenizer pre_tokenizer;
  std::optional<TokenId> bos, eos;
  std::vector<TokenId> end_of_generation;  // sorted
  bool add_bos, add_space_prefix, ignore_merges, normalize_nfc;
  mutable ScratchPool scratch_pool{};

  bool is_sentencepiece() const { return algorithm == Algorithm::sentencepiece_bpe; }
  // The end of the piece of prepared text that begins at `begin`.
  std::size_t piece_end(std::string_view text, std::size_t begin) const;
  // Appends the tokens of the piece text[begin, end) of prepared text.
  void encode_piece(std::string_view text, std::size_t begin, std::size_t end, Scratch& scratch,
                    std::vector<TokenId>& out) const;
  // `text`, a stretch without special tokens, in the form that pieces are cut from, appended to `out`. `at_start`: it
  // begins the text or follows a special token.
  void append_prepared(std::string_view text, bool at_start, std::string& out) const;
  // True if append_prepared would append `text` as it is.
  bool is_prepared(std::string_view text, bool at_start) const;
  // Appends the tokens of prepared text; stops after the piece that makes `out` larger than `count_max`.
  void encode_prepared(std::string_view text, Scratch& scratch, std::size_t count_max, std::vector<TokenId>& out) const;

  void merge_piece(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const;
};

}  // namespace stint::tokenizer
