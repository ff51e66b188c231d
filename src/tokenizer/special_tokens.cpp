#include "tokenizer/special_tokens.h"

#include <algorithm>

#include "tokenizer/utf8.h"

namespace stint::tokenizer {
SpecialTokens::SpecialTokens(const TokenTable& tokens) {
  std::vector<Spelled> spelled;
  for (TokenId token = 0; token < tokens.count(); ++token) {
    const TokenType type = tokens.type(token);
    const std::string_view text = tokens.text(token);
    // Only whole characters may match: then a match begins and ends where characters do.
    if ((type != TokenType::control && type != TokenType::user_defined) || text.empty() || !is_utf8(text)) continue;
    spelled.push_back({text, token, type == TokenType::user_defined});
  }
  if (spelled.empty()) return;
  std::sort(spelled.begin(), spelled.end(), [](const Spelled& a, const Spelled& b) { return a.text < b.text; });
  nodes_.emplace_back();
  grow(0, spelled.begin(), spelled.end(), 0);
  any_for_user_ = nodes_[0].for_user;
  for (std::uint32_t i = 0; i < nodes_[0].edge_count; ++i) {
    const Edge edge = edges_[nodes_[0].edge_begin + i];
    first_[edge.byte] = edge.node;
    starts_any_[edge.byte] = true;
    starts_user_[edge.byte] = nodes_[edge.node].for_user;
  }
}

// Sorted order: the strings below a node stand together. Depth is at most kTokenSizeMax.
void SpecialTokens::grow(std::uint32_t node, std::vector<Spelled>::const_iterator begin,
                         std::vector<Spelled>::const_iterator end, std::size_t depth) {
  const auto any_for_user = [end](auto from) {
    return std::any_of(from, end, [](const Spelled& s) { return s.for_user; });
  };
  nodes_[node].for_user = any_for_user(begin);
  if (begin->text.size() == depth) {
    nodes_[node].token = begin->token;
    nodes_[node].user_defined = begin->for_user;
    ++begin;
  }
  nodes_[node].open = begin != end;
  nodes_[node].open_for_user = any_for_user(begin);
  const auto byte_at = [depth](const Spelled& s) { return static_cast<unsigned char>(s.text[depth]); };
  struct Range {
    std::vector<Spelled>::const_iterator begin, end;
  };
  std::vector<Range> ranges;
  while (begin != end) {
    const auto stop = std::find_if(begin, end, [&](const Spelled& s) { return byte_at(s) != byte_at(*begin); });
    ranges.push_back({begin, stop});
    begin = stop;
  }
  const auto edge_begin = static_cast<std::uint32_t>(edges_.size());
  nodes_[node].edge_begin = edge_begin;
  nodes_[node].edge_count = static_cast<std::uint32_t>(ranges.size());
  for (const Range& range : ranges) {
    edges_.push_back({byte_at(*range.begin), static_cast<std::uint32_t>(nodes_.size())});
    nodes_.emplace_back();
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    grow(edges_[edge_begin + i].node, ranges[i].begin, ranges[i].end, depth + 1);
  }
}

std::uint32_t SpecialTokens::child(std::uint32_t node, unsigned char byte, Trust trust) const {
  const Edge* begin = edges_.data() + nodes_[node].edge_begin;
  const Edge* end = begin + nodes_[node].edge_count;
  const Edge* edge = std::find_if(begin, end, [byte](const Edge& e) { return e.byte == byte; });
  if (edge == end || (trust == Trust::user && !nodes_[edge->node].for_user)) return 0;
  return edge->node;
}

SpecialTokens::Search SpecialTokens::find(std::string_view text, std::size_t from, Trust trust, bool at_end) const {
  if (nodes_.empty() || (trust == Trust::user && !any_for_user_)) return {std::nullopt, text.size()};
  const auto& starts = trust == Trust::user ? starts_user_ : starts_any_;
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t begin = from; begin < text.size(); ++begin) {
    if (!starts[byte(begin)]) continue;
    std::optional<Match> match;
    std::uint32_t node = first_[byte(begin)];
    std::size_t end = begin + 1;
    while (node != 0) {
      const TokenId token = nodes_[node].token;
      if (token != kNone && (trust == Trust::trusted || nodes_[node].user_defined)) match = Match{begin, end, token};
      if (end == text.size()) break;
      node = child(node, byte(end++), trust);
    }
    const bool open = node != 0 && (trust == Trust::trusted ? nodes_[node].open : nodes_[node].open_for_user);
    if (open && !at_end) return {std::nullopt, begin};
    if (match) return {match, begin};
  }
  return {std::nullopt, text.size()};
}

}  // namespace stint::tokenizer
