// The merges of a vocabulary: which two neighbouring symbols join, into what, and which of two merges goes first.
// Immutable after build and thread-safe. 16 bytes a slot, at most half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stint::tokenizer {

// A token, or a character of SentencePiece that occurs in tokens but is none itself (numbers from the token count on).
using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = ~SymbolId{0};

// Lower goes first; equal ranks go from left to right.
using MergeRank = std::uint32_t;
inline constexpr MergeRank kNeverMerges = ~MergeRank{0};

struct Merge {
  MergeRank rank = kNeverMerges;
  SymbolId product = kNoSymbol;
};

class MergeTable {
 public:
  MergeTable() = default;
  // Room for `count` merges.
  explicit MergeTable(std::size_t count);

  // The first merge given for a pair stays.
  void insert(SymbolId left, SymbolId right, Merge merge);
  // Rank kNeverMerges if the two do not join.
  Merge find(SymbolId left, SymbolId right) const {
    const std::uint64_t key = key_of(left, right);
    for (std::size_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      if (slots_[slot].key == key) return slots_[slot].merge;
      if (slots_[slot].merge.rank == kNeverMerges) return {};
    }
  }

 private:
  struct Slot {
    std::uint64_t key = ~std::uint64_t{0};
    Merge merge;
  };
  static std::uint64_t key_of(SymbolId left, SymbolId right) { return std::uint64_t{left} << 32 | right; }
  // Fibonacci hashing; the golden ratio of 2^64.
  std::size_t slot_of(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15u) >> shift_; }

  std::vector<Slot> slots_{Slot{}, Slot{}};
  std::size_t mask_ = 1;
  unsigned shift_ = 63;
};

}  // namespace stint::tokenizer
