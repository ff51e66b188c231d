// A trie over the bytes of all symbols that merges can produce: which of them begin a text, and which is a given
// string. Immutable after build and thread-safe. A double array (Aoe, 1989): a step is one load and one compare, 8
// bytes a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/merge_table.h"

namespace stint::tokenizer {

class TokenTrie {
 public:
  struct Entry {
    std::string_view bytes;
    SymbolId symbol;
  };
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNowhere = ~Node{0};

  // Where a symbol stands: its node, and the longest other symbol that it begins with.
  struct Place {
    Node node = kNowhere;
    SymbolId prefix = kNoSymbol;
  };

  TokenTrie() = default;
  // Of entries with equal bytes the one that comes first counts. Writes the place of each symbol to `places`, which has
  // room for every symbol of the entries. Nothing if the array would outgrow 2^23 nodes.
  static std::optional<TokenTrie> build(std::span<const Entry> entries, std::span<Place> places);

  Node step(Node node, char byte) const {
    const auto label = static_cast<std::uint32_t>(static_cast<unsigned char>(byte)) + 1;
    const Node child = (nodes_[node].base_and_label >> kLabelBits) + label;
    return (nodes_[child].base_and_label & kLabelMask) == label ? child : kNowhere;
  }
  // The symbol whose bytes end at `node`, reachable by merges or not.
  SymbolId symbol(Node node) const { return (nodes_[node].symbol & ~kUnreachable) - 1; }
  // The same, but only if merges reach it.
  SymbolId reachable_symbol(Node node) const {
    return (nodes_[node].symbol & kUnreachable) == 0 ? nodes_[node].symbol - 1 : kNoSymbol;
  }
  void mark_unreachable(Node node) { nodes_[node].symbol |= kUnreachable; }

  Node walk(std::string_view bytes, Node from = kRoot) const {
    Node node = from;
    for (std::size_t i = 0; i < bytes.size() && node != kNowhere; ++i) node = step(node, bytes[i]);
    return node;
  }
  // The longest reachable symbol that begins `text`, kNoSymbol if none does.
  SymbolId longest(std::string_view text) const {
    SymbolId found = 0;
    Node node = kRoot;
    for (const char byte : text) {
      node = step(node, byte);
      if (node == kNowhere) break;
      const std::uint32_t symbol_plus_one = nodes_[node].symbol;
      if (symbol_plus_one - 1 < kUnreachable - 1) found = symbol_plus_one;
    }
    return found - 1;
  }

 private:
  friend class TokenTrieBuilder;
  static constexpr std::size_t kFanOut = 256;
  static constexpr unsigned kLabelBits = 9;  // 0: free; else byte + 1
  static constexpr std::uint32_t kLabelMask = (1u << kLabelBits) - 1;
  static constexpr std::uint32_t kUnreachable = 1u << 31;
  // No two nodes share a base, so a child is told from a stranger by its label alone. Base 0: no children (slots 1 to
  // 256 stay free).
  struct Slot {
    std::uint32_t base_and_label = 0;
    std::uint32_t symbol = 0;  // plus 1; 0: no symbol ends here
  };

  std::vector<Slot> nodes_ = std::vector<Slot>(kFanOut + 1);
};

}  // namespace stint::tokenizer
