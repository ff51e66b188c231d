// Remembers the tokens of short pieces: most pieces of ordinary text are words met a moment ago.
// Not thread-safe. 512 KiB, direct-mapped: a new piece replaces the old one in its place.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

class PieceCache {
 public:
  static constexpr std::size_t kPieceSizeMax = 15;
  static constexpr std::size_t kTokenCountMax = 3;

  // A piece as two words: its bytes, zeros, and its size in the last byte. No two pieces share a key, none is all
  // zeros.
  struct Key {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Key&) const = default;
  };

  // The key of text[begin, begin + size). Requires 1 <= size <= kPieceSizeMax and the piece inside the text.
  static Key key_of(std::string_view text, std::size_t begin, std::size_t size) {
    static_assert(std::endian::native == std::endian::little);
    Key key;
    std::memcpy(&key, text.data() + begin, text.size() - begin >= sizeof key ? sizeof key : size);
    const std::uint64_t low_mask = size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
    const std::uint64_t high_mask = size <= 8 ? 0 : (std::uint64_t{1} << 8 * (size - 8)) - 1;
    return {key.low & low_mask, (key.high & high_mask) | std::uint64_t{size} << 56};
  }

  // The tokens of the piece; none if it is not remembered.
  std::span<const TokenId> find(Key key) const {
    const Entry& entry = entries_[index_of(key)];
    return entry.key == key ? std::span(entry.tokens.data(), entry.token_count) : std::span<const TokenId>();
  }
  // Remembers the tokens of a piece, if they are few enough.
  void put(Key key, std::span<const TokenId> tokens) {
    if (tokens.empty() || tokens.size() > kTokenCountMax) return;
    Entry& entry = entries_[index_of(key)];
    entry.key = key;
    entry.token_count = static_cast<std::uint32_t>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), entry.tokens.begin());
  }

 private:
  static constexpr unsigned kEntryCountLog2 = 14;
  struct Entry {
    Key key;
    std::uint32_t token_count = 0;
    std::array<TokenId, kTokenCountMax> tokens{};
  };
  static_assert(sizeof(Entry) == 32);
  static std::size_t index_of(Key key) {
    return (key.low ^ key.high * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u >> (64 - kEntryCountLog2);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kEntryCountLog2);
};

}  // namespace stint::tokenizer
