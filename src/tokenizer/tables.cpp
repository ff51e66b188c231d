#include "tokenizer/tables.h"

#include "tokenizer/nfc.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/sentencepiece_space.h"

namespace stint::tokenizer {

std::size_t Tokenizer::Tables::piece_end(std::string_view text, std::size_t begin) const {
  if (is_sentencepiece()) return boundary.piece_end(text, begin);
  return tokenizer::piece_end(pre_tokenizer, text, begin);
}

void Tokenizer::Tables::merge_piece(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const {
  if (ignore_merges) {
    if (const SymbolId whole = rules.symbol_of(piece); rules.is_token(whole)) return out.push_back(whole);
  }
  if (!lineage) return scratch.queue.encode(rules, piece, out);
  scratch.encoder.encode(rules, *lineage, piece, out);
}

void Tokenizer::Tables::encode_piece(std::string_view text, std::size_t begin, std::size_t end, Scratch& scratch,
                                     std::vector<TokenId>& out) const {
  const std::string_view piece = text.substr(begin, end - begin);
  if (piece.size() > PieceCache::kPieceSizeMax) return merge_piece(piece, scratch, out);
  const PieceCache::Key key = PieceCache::key_of(text, begin, piece.size());
  const std::span<const TokenId> known = scratch.cache.find(key);
  if (!known.empty()) {
    for (const TokenId token : known) out.push_back(token);
    return;
  }
  const std::size_t count = out.size();
  merge_piece(piece, scratch, out);
  scratch.cache.put(key, std::span(out).subspan(count));
}

bool Tokenizer::Tables::is_prepared(std::string_view text, bool at_start) const {
  if (is_sentencepiece())
    return !(at_start && add_space_prefix) && text.find(kSentencePieceSpace) == std::string_view::npos;
  return !normalize_nfc || is_nfc_safe(text);
}

void Tokenizer::Tables::append_prepared(std::string_view text, bool at_start, std::string& out) const {
  if (text.empty()) return;
  if (is_prepared(text, at_start)) {
    out += text;
  } else if (is_sentencepiece()) {
    if (at_start && add_space_prefix) out += ' ';
    out += with_plain_spaces(text);
  } else {
    append_nfc(text, out);
  }
}

void Tokenizer::Tables::encode_prepared(std::string_view text, Scratch& scratch, std::size_t count_max,
                                        std::vector<TokenId>& out) const {
  for (std::size_t begin = 0; begin < text.size() && out.size() <= count_max;) {
    const std::size_t end = piece_end(text, begin);
    encode_piece(text, begin, end, scratch, out);
    begin = end;
  }
}

}  // namespace stint::tokenizer
