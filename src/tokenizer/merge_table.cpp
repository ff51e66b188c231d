#include "tokenizer/merge_table.h"

#include <bit>

#include "platform/base/assert.h"

namespace stint::tokenizer {

MergeTable::MergeTable(std::size_t count) : slots_(std::bit_ceil(count * 2 + 2)) {
  mask_ = slots_.size() - 1;
  shift_ = 64 - static_cast<unsigned>(std::bit_width(mask_));
}

void MergeTable::insert(SymbolId left, SymbolId right, Merge merge) {
  STINT_ASSERT(left != kNoSymbol && right != kNoSymbol && merge.rank != kNeverMerges);
  const std::uint64_t key = key_of(left, right);
  std::size_t slot = slot_of(key);
  while (slots_[slot].merge.rank != kNeverMerges && slots_[slot].key != key) slot = (slot + 1) & mask_;
  if (slots_[slot].merge.rank == kNeverMerges) slots_[slot] = {key, merge};
}

}  // namespace stint::tokenizer
