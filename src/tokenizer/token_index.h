// From a byte string to the token that has it: an open-addressing table over strings that the owner keeps alive.
// Immutable after build and thread-safe. 8 bytes a slot, at most half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

class TokenIndex {
 public:
  TokenIndex() = default;
  // Room for `count` strings.
  explicit TokenIndex(std::size_t count);

  // False, and nothing changes, if `key` is there already. `key` must outlive the index.
  bool insert(std::string_view key, TokenId token);
  std::optional<TokenId> find(std::string_view key) const;

 private:
  struct Slot {
    std::uint32_t tag;    // upper half of the hash
    std::uint32_t entry;  // index into entries_ plus 1; 0: free
  };
  struct Entry {
    std::string_view key;
    TokenId token;
  };
  // The slot that holds `key`, or the free one where it belongs.
  std::size_t slot_of(std::string_view key, std::uint64_t hash) const;

  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
};

}  // namespace stint::tokenizer
