// Everything a Tokenizer knows, built once: the parts that the encoder and the decoder share.
// Immutable after build and thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "tokenizer/merge_queue.h"
#include "tokenizer/merge_rules.h"
#include "tokenizer/safe_boundary.h"
#include "tokenizer/special_tokens.h"
#include "tokenizer/token_table.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

// Working memory of one encoding thread, reused from piece to piece.
struct Scratch {
  MergeQueue queue;
  std::string prepared;
};

struct Tokenizer::Tables {
  TokenTable tokens;
  MergeRules rules;
  SpecialTokens specials;
  SafeBoundary boundary;  // SentencePiece only
  Algorithm algorithm;
  PreTokenizer pre_tokenizer;
  std::optional<TokenId> bos, eos;
  std::vector<TokenId> end_of_generation;  // sorted
  bool add_bos, add_space_prefix, ignore_merges, normalize_nfc;

  bool is_sentencepiece() const { return algorithm == Algorithm::sentencepiece_bpe; }
  // The end of the piece of prepared text that begins at `begin`.
  std::size_t piece_end(std::string_view text, std::size_t begin) const;
  void encode_piece(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const;
  // `text`, a stretch without special tokens, in the form that pieces are cut from, appended to `out`. `at_start`: it
  // begins the text or follows a special token.
  void append_prepared(std::string_view text, bool at_start, std::string& out) const;
  // True if append_prepared would append `text` as it is.
  bool is_prepared(std::string_view text, bool at_start) const;
  // Appends the tokens of prepared text; stops after the piece that makes `out` larger than `count_max`.
  void encode_prepared(std::string_view text, Scratch& scratch, std::size_t count_max, std::vector<TokenId>& out) const;
};

}  // namespace stint::tokenizer
