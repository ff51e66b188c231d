#include "tokenizer/token_trie.h"

#include <algorithm>

namespace stint::tokenizer {

// Places the nodes: a node's children are the runs of equal bytes in a sorted range of entries. Depth first, so that a
// chain of nodes lies close together and a walk down it stays in a few cache lines.
class TokenTrieBuilder {
 public:
  TokenTrieBuilder(std::span<const TokenTrie::Entry> entries, std::span<TokenTrie::Place> places)
      : entries_(entries), places_(places) {
    sort();
  }

  std::optional<TokenTrie> build() {
    make_room(kFirstBase + sorted_.size() * 4);
    waiting_.push_back({TokenTrie::kRoot, 0, 0, static_cast<std::uint32_t>(sorted_.size()), kNoSymbol});
    while (!waiting_.empty()) {
      const Range range = waiting_.back();
      waiting_.pop_back();
      if (!place(range)) return std::nullopt;
    }
    return std::move(trie_);
  }

 private:
  struct Range {
    TokenTrie::Node node;
    std::uint32_t depth;
    std::uint32_t begin, end;  // in sorted_: the entries that pass through the node
    SymbolId prefix;           // the longest symbol that ends above the node
  };
  struct Key {
    std::uint64_t head;  // the first eight bytes, most significant first
    std::uint32_t entry;
  };
  static constexpr std::size_t kFanOut = TokenTrie::kFanOut;
  static constexpr std::size_t kFirstBase = kFanOut;      // leaves have base 0, whose children would be slots 1 to 256
  static constexpr std::size_t kSlotCountMax = 1u << 23;  // a base has 23 bits
  static constexpr std::size_t kScanCountMax = 128;       // slots looked at for a node, before room is taken at the end

  std::string_view bytes(std::size_t sorted) const { return entries_[sorted_[sorted].entry].bytes; }

  void sort() {
    sorted_.reserve(entries_.size());
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      std::uint64_t head = 0;
      for (std::size_t k = 0; k < 8; ++k) {
        const std::string_view text = entries_[i].bytes;
        head = head << 8 | (k < text.size() ? static_cast<unsigned char>(text[k]) : 0);
      }
      if (!entries_[i].bytes.empty()) sorted_.push_back({head, i});
    }
    std::sort(sorted_.begin(), sorted_.end(), [this](const Key& a, const Key& b) {
      if (a.head != b.head) return a.head < b.head;
      const int order = entries_[a.entry].bytes.compare(entries_[b.entry].bytes);
      return order != 0 ? order < 0 : a.entry < b.entry;
    });
  }

  // The byte at `depth` of an entry that is longer.
  std::uint32_t byte_at(std::size_t sorted, std::uint32_t depth) const {
    if (depth < 8) return static_cast<std::uint32_t>(sorted_[sorted].head >> (56 - 8 * depth) & 0xFF);
    return static_cast<unsigned char>(bytes(sorted)[depth]);
  }

  bool place(const Range& range) {
    std::uint32_t begin = range.begin;
    SymbolId prefix = range.prefix;
    if (begin < range.end && bytes(begin).size() == range.depth) {
      prefix = entries_[sorted_[begin].entry].symbol;
      trie_.nodes_[range.node].symbol = prefix + 1;
      places_[prefix] = {range.node, range.prefix};
    }
    while (begin < range.end && bytes(begin).size() == range.depth) ++begin;
    labels_.clear();
    starts_.clear();
    for (std::uint32_t i = begin; i < range.end; ++i) {
      const std::uint32_t label = byte_at(i, range.depth) + 1;
      if (!labels_.empty() && labels_.back() == label) continue;
      labels_.push_back(label);
      starts_.push_back(i);
    }
    if (labels_.empty()) return true;
    starts_.push_back(range.end);
    const std::uint32_t base = find_base();
    if (base + kFanOut >= kSlotCountMax) return false;
    base_used_[base] = true;
    trie_.nodes_[range.node].base_and_label |= base << TokenTrie::kLabelBits;
    for (std::size_t i = labels_.size(); i-- > 0;) {
      const TokenTrie::Node child = base + labels_[i];
      trie_.nodes_[child].base_and_label = labels_[i];
      waiting_.push_back({child, range.depth + 1, starts_[i], starts_[i + 1], prefix});
    }
    return true;
  }

  bool is_free(std::size_t slot) const { return trie_.nodes_[slot].base_and_label == 0; }

  bool fits(std::uint32_t base) const {
    return !base_used_[base] &&
           std::all_of(labels_.begin(), labels_.end(), [&](std::uint32_t l) { return is_free(base + l); });
  }

  std::uint32_t find_base() {
    while (!is_free(first_free_)) ++first_free_;
    const std::size_t begin = std::max(first_free_, kFirstBase + labels_.front());
    make_room(begin + kScanCountMax);
    for (std::size_t slot = begin; slot < begin + kScanCountMax; ++slot) {
      const auto base = static_cast<std::uint32_t>(slot - labels_.front());
      if (is_free(slot) && fits(base)) return taken(base);
    }
    // Where not even a single child finds room, the holes are given up.
    if (labels_.size() == 1) first_free_ = begin + kScanCountMax;
    const auto base = static_cast<std::uint32_t>(std::max(begin, end_));
    make_room(base);
    return taken(base);
  }

  std::uint32_t taken(std::uint32_t base) {
    end_ = std::max(end_, std::size_t{base} + labels_.back() + 1);
    return base;
  }

  // Slots up to a node's whole fan-out behind `slot`.
  void make_room(std::size_t slot) {
    const std::size_t count = slot + 2 * kFanOut;
    if (count <= trie_.nodes_.size()) return;
    trie_.nodes_.resize(std::max(count, trie_.nodes_.size() * 2));
    base_used_.resize(trie_.nodes_.size());
  }

  std::span<const TokenTrie::Entry> entries_;
  std::span<TokenTrie::Place> places_;  // by symbol
  std::vector<Key> sorted_;
  TokenTrie trie_;
  std::vector<bool> base_used_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint32_t> starts_;
  std::vector<Range> waiting_;
  std::size_t first_free_ = kFirstBase;
  std::size_t end_ = kFirstBase;  // no slot from here on is taken
};

std::optional<TokenTrie> TokenTrie::build(std::span<const Entry> entries, std::span<Place> places) {
  return TokenTrieBuilder(entries, places).build();
}

}  // namespace stint::tokenizer
