// The listed merges of a byte-level vocabulary: which two neighbouring symbols join, and which of two merges goes
// first. Immutable after build and thread-safe. 8 bytes a slot, at most half full, so that a large list stays in the
// cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

// A token, or a character of SentencePiece that occurs in tokens but is none itself (numbers from the token count on).
using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = ~SymbolId{0};

// Lower goes first; equal ranks go from left to right.
using MergeRank = std::uint32_t;
inline constexpr MergeRank kNeverMerges = ~MergeRank{0};

inline constexpr std::size_t kMergeCountMax = (std::size_t{1} << 22) - 1;

class MergeTable {
 public:
  MergeTable() : MergeTable(0) {}
  // Room for `count` merges, at most kMergeCountMax.
  explicit MergeTable(std::size_t count);

  // Adds a merge of a rank below kMergeCountMax; of two merges of the same pair the first one given stays.
  void insert(TokenId left, TokenId right, MergeRank rank);
  // The rank of the pair, kNeverMerges if the two do not join.
  MergeRank find(TokenId left, TokenId right) const {
    const std::uint64_t key = key_of(left, right);
    const std::uint64_t hash = hash_of(key);
    const std::uint64_t bit = hash >> filter_shift_;
    if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return kNeverMerges;
    for (std::size_t index = hash >> shift_;; index = (index + 1) & mask_) {
      const std::uint64_t slot = slots_[index];
      if (slot == kFree) return kNeverMerges;
      if (slot >> kRankBits == key) return static_cast<MergeRank>(slot & kRankMask);
    }
  }

 private:
  // Left, right and rank take 21 + 21 + 22 bits.
  static constexpr unsigned kTokenBits = 21;
  static constexpr unsigned kRankBits = 22;
  static constexpr std::uint64_t kRankMask = (std::uint64_t{1} << kRankBits) - 1;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  static std::uint64_t key_of(TokenId left, TokenId right) { return std::uint64_t{left} << kTokenBits | right; }
  // Fibonacci hashing; the golden ratio of 2^64.
  static std::uint64_t hash_of(std::uint64_t key) { return key * 0x9E3779B97F4A7C15u; }

  std::vector<std::uint64_t> slots_;
  std::size_t mask_;
  unsigned shift_;
  std::vector<std::uint64_t> filter_;  // a bit for each hash of a pair that joins
  unsigned filter_shift_;
};

}  // namespace stint::tokenizer
