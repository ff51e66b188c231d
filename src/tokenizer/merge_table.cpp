#include "tokenizer/merge_table.h"

#include <bit>

#include "platform/base/assert.h"

namespace stint::tokenizer {

MergeTable::MergeTable(std::size_t count)
    : slots_(std::bit_ceil(count * 2 + 2), kFree),
      mask_(slots_.size() - 1),
      shift_(64 - static_cast<unsigned>(std::bit_width(mask_))),
      filter_(std::bit_ceil(count * 4 + 64) / 64),
      filter_shift_(64 - static_cast<unsigned>(std::bit_width(filter_.size() * 64 - 1))) {}

void MergeTable::insert(TokenId left, TokenId right, MergeRank rank) {
  STINT_ASSERT((left | right) >> kTokenBits == 0 && rank < kMergeCountMax);
  const std::uint64_t key = key_of(left, right);
  const std::uint64_t hash = hash_of(key);
  const std::uint64_t bit = hash >> filter_shift_;
  filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  std::size_t slot = hash >> shift_;
  while (slots_[slot] != kFree && slots_[slot] >> kRankBits != key) slot = (slot + 1) & mask_;
  if (slots_[slot] == kFree) slots_[slot] = key << kRankBits | rank;
}

}  // namespace stint::tokenizer
