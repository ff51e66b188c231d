// SentencePiece has no pre-tokenizer; this finds where its text may be cut all the same: between two characters that
// stand side by side in no token, no merge can ever reach across. Immutable after build and thread-safe. 128 KiB: a bit
// for each hash of a pair; pairs that collide are merely not cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/token_table.h"

namespace stint::tokenizer {

class SafeBoundary {
 public:
  SafeBoundary() = default;
  explicit SafeBoundary(const TokenTable& tokens);

  // The end of the piece that begins at `begin`; depends on the text up to one character beyond that end only.
  // Requires begin < text.size().
  std::size_t piece_end(std::string_view text, std::size_t begin) const;

 private:
  static constexpr unsigned kBitCountLog2 = 20;
  static std::uint32_t hash(std::uint32_t left, std::uint32_t right) {
    return (left * 0x9E3779B1u ^ right * 0x85EBCA77u) * 0xC2B2AE3Du >> (32 - kBitCountLog2);
  }
  bool may_join(std::uint32_t left, std::uint32_t right) const {
    const std::uint32_t bit = hash(left, right);
    return (joined_[bit / 64] >> (bit % 64) & 1) != 0;
  }

  std::vector<std::uint64_t> joined_;
};

}  // namespace stint::tokenizer
