#include "tokenizer/piece_encoder.h"

#include "platform/base/assert.h"

namespace stint::tokenizer {

void PieceEncoder::start(std::size_t size) {
  position_ = 0;
  path_.clear();
  impossible_.assign(size / 64 + 1, 0);
}

bool PieceEncoder::compatible(const MergeRules& rules, const Lineage& lineage, SymbolId left, SymbolId right) {
  // 1 in the lowest bit: known; above it the answer, then the pair. 0: nothing known.
  const std::uint64_t pair = std::uint64_t{left} << 32 | std::uint64_t{right} << 2 | 1;
  std::uint64_t& known = pairs_[(pair * 0x9E3779B97F4A7C15u) >> (64 - kPairCountLog2)];
  if ((known & ~std::uint64_t{2}) != pair) {
    const bool regular = !lineage.is_irregular(left) && !lineage.is_irregular(right);
    const bool answer = regular ? lineage.compatible(rules, left, right) : queue_.leaves_apart(rules, left, right);
    known = pair | (answer ? 2 : 0);
  }
  return (known & 2) != 0;
}

bool PieceEncoder::fits(const MergeRules& rules, const Lineage& lineage, SymbolId next) {
  const std::size_t end = position_ + lineage.size(next);
  if ((impossible_[end / 64] >> (end % 64) & 1) != 0) return false;
  return path_.empty() || compatible(rules, lineage, path_.back(), next);
}

// Chooses the next symbol, after stepping back as far as needed. False: no symbol begins at the position.
bool PieceEncoder::advance(const MergeRules& rules, const Lineage& lineage, std::string_view piece) {
  SymbolId next = rules.trie().longest(piece.substr(position_));
  if (next == kNoSymbol) return false;
  while (!fits(rules, lineage, next)) {
    next = lineage.shorter(next);
    while (next == kNoSymbol) {
      // Every text of known symbols has an encoding, so there is always a choice to take back.
      STINT_ASSERT(!path_.empty());
      impossible_[position_ / 64] |= std::uint64_t{1} << (position_ % 64);
      next = path_.back();
      path_.pop_back();
      position_ -= lineage.size(next);
      next = lineage.shorter(next);
    }
  }
  path_.push_back(next);
  position_ += lineage.size(next);
  return true;
}

void PieceEncoder::flush(const MergeRules& rules, std::vector<TokenId>& out) {
  for (const SymbolId symbol : path_) {
    if (rules.is_token(symbol)) {
      out.push_back(symbol);
    } else {
      rules.append_untokenizable(rules.bytes(symbol), out);
    }
  }
  path_.clear();
}

// Leaves out the bytes of no symbol.
void PieceEncoder::keep_known(const MergeRules& rules, std::string_view piece) {
  kept_.clear();
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (rules.symbol_of(piece.substr(i, 1)) != kNoSymbol) kept_ += piece[i];
  }
}

void PieceEncoder::encode(const MergeRules& rules, const Lineage& lineage, std::string_view piece,
                          std::vector<TokenId>& out) {
  start(piece.size());
  while (position_ < piece.size()) {
    if (advance(rules, lineage, piece)) continue;
    // A character of no symbol. What stands before it ends here for certain.
    if (rules.drops_unknown()) {
      keep_known(rules, piece);
      return encode(rules, lineage, kept_, out);
    }
    flush(rules, out);
    const std::size_t size = rules.first_size(piece, position_);
    rules.append_untokenizable(piece.substr(position_, size), out);
    position_ += size;
  }
  flush(rules, out);
}

std::size_t PieceEncoder::memory_size() const {
  return path_.capacity() * sizeof(SymbolId) + impossible_.capacity() * sizeof(std::uint64_t) + kept_.capacity();
}

}  // namespace stint::tokenizer
