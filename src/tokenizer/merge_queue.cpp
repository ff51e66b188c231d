#include "tokenizer/merge_queue.h"

#include <algorithm>

namespace stint::tokenizer {

void MergeQueue::split(const MergeRules& rules, std::string_view piece) {
  symbols_.clear();
  for (std::size_t position = 0, size = 0; position < piece.size(); position += size) {
    size = rules.first_size(piece, position);
    const SymbolId id = rules.symbol_of(piece.substr(position, size));
    if (id == kNoSymbol && rules.drops_unknown()) continue;
    const auto index = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back(
        {id, static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(size), index - 1, index + 1});
  }
  if (symbols_.empty()) return;
  symbols_.front().previous = kNowhere;
  symbols_.back().next = kNowhere;
}

void MergeQueue::push(const MergeRules& rules, std::uint32_t left) {
  const std::uint32_t right = symbols_[left].next;
  if (right == kNowhere) return;
  const SymbolId left_id = symbols_[left].id;
  const SymbolId right_id = symbols_[right].id;
  if (left_id == kNoSymbol || right_id == kNoSymbol) return;
  const Merge merge = rules.merge(left_id, right_id);
  if (merge.rank == kNeverMerges) return;
  heap_.push_back({merge.rank, left, left_id, right_id, merge.product});
  std::push_heap(heap_.begin(), heap_.end());
}

void MergeQueue::join(const MergeRules& rules, const Candidate& candidate) {
  Symbol& left = symbols_[candidate.left];
  if (left.size == 0 || left.id != candidate.left_id || left.next == kNowhere) return;
  Symbol& right = symbols_[left.next];
  if (right.id != candidate.right_id) return;
  left.id = candidate.product;
  left.size += right.size;
  left.next = right.next;
  right.size = 0;
  if (left.next != kNowhere) symbols_[left.next].previous = candidate.left;
  push(rules, candidate.left);
  if (left.previous != kNowhere) push(rules, left.previous);
}

void MergeQueue::merge(const MergeRules& rules, std::string_view piece) {
  split(rules, piece);
  heap_.clear();
  for (std::uint32_t i = 0; i + 1 < symbols_.size(); ++i) push(rules, i);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Candidate candidate = heap_.back();
    heap_.pop_back();
    join(rules, candidate);
  }
}

void MergeQueue::encode(const MergeRules& rules, std::string_view piece, std::vector<TokenId>& out) {
  merge(rules, piece);
  for (std::uint32_t i = symbols_.empty() ? kNowhere : 0; i != kNowhere; i = symbols_[i].next) {
    const Symbol& symbol = symbols_[i];
    if (rules.is_token(symbol.id)) {
      out.push_back(symbol.id);
    } else {
      rules.append_untokenizable(piece.substr(symbol.begin, symbol.size), out);
    }
  }
}

bool MergeQueue::leaves_apart(const MergeRules& rules, SymbolId left, SymbolId right) {
  pair_.assign(rules.bytes(left)).append(rules.bytes(right));
  merge(rules, pair_);
  const std::uint32_t second = symbols_.front().next;
  return symbols_.front().id == left && second != kNowhere && symbols_[second].id == right;
}

bool MergeQueue::reaches(const MergeRules& rules, SymbolId symbol) {
  merge(rules, rules.bytes(symbol));
  return symbols_.front().id == symbol;
}

}  // namespace stint::tokenizer
