#include "tokenizer/lineage.h"

#include <algorithm>

#include "tokenizer/merge_queue.h"

namespace stint::tokenizer {
namespace {

// Merges carried out in earnest while building, as a share of the symbols.
constexpr std::size_t kTrialShareMax = 4;

}  // namespace

// Whether left and right, both reachable, are still there when all their merges are made: then their own merge comes
// next.
bool Lineage::makes(const MergeRules& rules, SymbolId left, SymbolId right) const {
  MergeRank limit = kNeverMerges;
  while (descend(left, right, limit)) {
    if (rules.rank(left, right) < limit) return false;
  }
  return true;
}

void Lineage::add_first_symbols(const MergeRules& rules) {
  origins_.resize(rules.symbol_count());
  sizes_.resize(rules.symbol_count());
  for (SymbolId symbol = 0; symbol < rules.symbol_count(); ++symbol) {
    if (rules.bytes(symbol).empty()) continue;
    sizes_[symbol] = static_cast<std::uint16_t>(rules.bytes(symbol).size());
    if (rules.is_first(symbol)) origins_[symbol].time = 0;
  }
}

// Of all the merges that could make a symbol at most one does. Requires both parts regular.
void Lineage::add_merge(const MergeRules& rules, SymbolId left, SymbolId right, MergeRank rank, SymbolId product) {
  if (!makes(rules, left, right)) return;
  const bool ordered = rank + 1 > std::max(origins_[left].time, origins_[right].time);
  origins_[product] = {left, right, ordered ? rank + 1 : kIrregular, kNoSymbol};
}

std::optional<Lineage> Lineage::build(MergeRules& rules) {
  Lineage lineage;
  lineage.add_first_symbols(rules);
  MergeQueue queue;
  std::size_t trials_left = 1 + rules.symbol_count() / kTrialShareMax;
  const auto known = [&](SymbolId symbol) { return lineage.origins_[symbol].time != kUnmade; };
  rules.for_each_merge(known, [&](SymbolId left, SymbolId right, MergeRank rank, SymbolId product) {
    if (known(product)) return;
    if (!lineage.is_irregular(left) && !lineage.is_irregular(right)) {
      lineage.add_merge(rules, left, right, rank, product);
    } else if (trials_left > 0 && --trials_left > 0 && queue.reaches(rules, product)) {
      lineage.origins_[product] = {left, right, kIrregular, kNoSymbol};
    }
  });
  if (trials_left == 0) return std::nullopt;
  for (SymbolId symbol = 0; symbol < rules.symbol_count(); ++symbol) {
    if (!known(symbol) && !rules.bytes(symbol).empty()) rules.mark_unreachable(symbol);
  }
  lineage.find_shorter(rules);
  return lineage;
}

void Lineage::find_shorter(const MergeRules& rules) {
  for (SymbolId symbol = 0; symbol < rules.symbol_count(); ++symbol) {
    if (rules.bytes(symbol).empty()) continue;
    SymbolId prefix = rules.prefix(symbol);
    while (prefix != kNoSymbol && origins_[prefix].time == kUnmade) prefix = rules.prefix(prefix);
    origins_[symbol].shorter = prefix;
  }
}

}  // namespace stint::tokenizer
