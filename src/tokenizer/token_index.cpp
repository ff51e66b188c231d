#include "tokenizer/token_index.h"

#include <bit>

#include "platform/base/assert.h"
#include "platform/base/hash.h"

namespace stint::tokenizer {

TokenIndex::TokenIndex(std::size_t count) : slots_(std::bit_ceil(count * 2 + 1)) {
  entries_.reserve(count);
}

std::size_t TokenIndex::slot_of(std::string_view key, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t slot = hash & mask;
  while (slots_[slot].entry != 0 && (slots_[slot].tag != tag || entries_[slots_[slot].entry - 1].key != key)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

bool TokenIndex::insert(std::string_view key, TokenId token) {
  STINT_ASSERT(entries_.size() * 2 < slots_.size());
  const std::uint64_t hash = base::hash_bytes(key);
  const std::size_t slot = slot_of(key, hash);
  if (slots_[slot].entry != 0) return false;
  entries_.push_back({key, token});
  slots_[slot] = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(entries_.size())};
  return true;
}

std::optional<TokenId> TokenIndex::find(std::string_view key) const {
  if (slots_.empty()) return std::nullopt;
  const Slot slot = slots_[slot_of(key, base::hash_bytes(key))];
  if (slot.entry == 0) return std::nullopt;
  return entries_[slot.entry - 1].token;
}

}  // namespace stint::tokenizer
