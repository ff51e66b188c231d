// Finds control and user-defined tokens in raw text, before anything else looks at it: leftmost first, the longest
// there. Immutable after build and thread-safe. A trie over at most kTokenSizeMax bytes a token, so the search is
// linear in the text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tokenizer/token_table.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

class SpecialTokens {
 public:
  struct Match {
    std::size_t begin, end;
    TokenId token;
  };
  struct Search {
    std::optional<Match> match;
    std::size_t plain_end;  // no special token begins before it: match->begin, or where one may yet begin, or the end
  };

  SpecialTokens() = default;
  explicit SpecialTokens(const TokenTable& tokens);

  // Control tokens match in trusted text only. `at_end`: nothing follows `text`; otherwise a match that more text could
  // make longer, or complete, is not decided, and plain_end stands before it.
  Search find(std::string_view text, std::size_t from, Trust trust, bool at_end) const;

 private:
  static constexpr TokenId kNone = ~TokenId{0};
  struct Node {
    std::uint32_t edge_begin = 0;
    std::uint32_t edge_count = 0;
    TokenId token = kNone;
    bool user_defined = false;   // the token is
    bool for_user = false;       // the token, or one below this node, is
    bool open = false;           // there is a token below this node
    bool open_for_user = false;  // there is a user-defined one
  };
  struct Edge {
    unsigned char byte;
    std::uint32_t node;
  };
  struct Spelled {
    std::string_view text;
    TokenId token;
    bool for_user;
  };
  void grow(std::uint32_t node, std::vector<Spelled>::const_iterator begin, std::vector<Spelled>::const_iterator end,
            std::size_t depth);
  // The child of `node` for `byte`, 0 if there is none (no edge leads to the root).
  std::uint32_t child(std::uint32_t node, unsigned char byte, Trust trust) const;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::array<std::uint32_t, 256> first_{};  // children of the root
  std::array<bool, 256> starts_user_{}, starts_any_{};
  bool any_for_user_ = false;
};

}  // namespace stint::tokenizer
