#include "tokenizer/merge_rules.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// Better scores first. Maps floats to integers of the opposite order: IEEE 754 values compare like sign-magnitude
// integers.
MergeRank rank_of_score(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);  // -0 becomes +0
  const std::uint32_t ascending = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return ~ascending;
}

// Calls `visit(character text)` for each character; invalid bytes come one by one.
template <typename Visitor>
void for_each_character(std::string_view text, Visitor&& visit) {
  for (std::size_t position = 0; position < text.size();) {
    const Character character = read_character(text, position);
    const std::size_t size = character.code_point == kInvalidCodePoint ? 1 : character.size;
    visit(text.substr(position, size));
    position += size;
  }
}

std::size_t character_count(const TokenTable& tokens) {
  std::size_t count = 0;
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (tokens.is_mergeable(token)) for_each_character(tokens.bytes(token), [&](std::string_view) { ++count; });
  }
  return count;
}

}  // namespace

Result<MergeRules> MergeRules::build(const Vocabulary& vocabulary, const TokenTable& tokens) {
  const bool by_score = vocabulary.algorithm == Algorithm::sentencepiece_bpe;
  MergeRules rules;
  rules.algorithm_ = vocabulary.algorithm;
  rules.token_count_ = tokens.count();
  // Text never produces a control token, not even for want of another.
  if (vocabulary.unknown && tokens.type(*vocabulary.unknown) != TokenType::control) rules.unknown_ = vocabulary.unknown;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    rules.byte_tokens_[byte] = tokens.byte_token(static_cast<unsigned char>(byte));
  }
  // Characters that are no tokens themselves are symbols too; there are no more of them than characters in tokens.
  rules.by_bytes_ = TokenIndex(tokens.count() + (by_score ? character_count(tokens) : 0));
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (tokens.is_mergeable(token)) rules.by_bytes_.insert(tokens.bytes(token), token);
  }
  const auto added = by_score ? rules.add_scored_merges(tokens, vocabulary.scores)
                              : rules.add_listed_merges(tokens, vocabulary.merges);
  if (!added) return std::unexpected(added.error());
  return rules;
}

Result<void> MergeRules::add_listed_merges(const TokenTable& tokens, const std::vector<std::string>& merges) {
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const char text = static_cast<char>(byte);
    byte_symbols_[byte] = symbol_of({&text, 1});
  }
  if (merges.size() > kMergeCountMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("The vocabulary has {} merges, more than the limit of {}; the file is damaged.",
                            merges.size(), kMergeCountMax));
  }
  merges_ = MergeTable(merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    if (auto added = add_merge(tokens, merges[i], i); !added) return added;
  }
  return {};
}

Result<void> MergeRules::add_merge(const TokenTable& tokens, std::string_view spelled, std::size_t index) {
  const auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::corrupt, fmt::format("Merge {} (\"{}\") {}; the file is damaged.", index, spelled, what));
  };
  const std::size_t space = spelled.find(' ', 1);
  if (space == std::string_view::npos || space + 1 == spelled.size()) return corrupt("does not name two tokens");
  const auto left = tokens.find(spelled.substr(0, space));
  const auto right = tokens.find(spelled.substr(space + 1));
  if (!left || !right) return corrupt("names a token that is not in the vocabulary");
  const auto product = tokens.find(std::string(spelled.substr(0, space)).append(spelled.substr(space + 1)));
  if (!product) return corrupt("makes a token that is not in the vocabulary");
  const bool mergeable = tokens.is_mergeable(*left) && tokens.is_mergeable(*right) && tokens.is_mergeable(*product);
  if (mergeable) merges_.insert(*left, *right, {static_cast<MergeRank>(index), *product});
  return {};
}

void MergeRules::add_characters(const TokenTable& tokens) {
  SymbolId next = static_cast<SymbolId>(tokens.count());
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (!tokens.is_mergeable(token)) continue;
    for_each_character(tokens.bytes(token), [&](std::string_view character) {
      if (by_bytes_.insert(character, next)) ++next;
    });
  }
}

Result<void> MergeRules::add_scored_merges(const TokenTable& tokens, const std::vector<float>& scores) {
  if (scores.size() != tokens.count()) {
    return fail(ErrorKind::corrupt, fmt::format("The vocabulary has {} tokens but {} scores; the file is damaged.",
                                                tokens.count(), scores.size()));
  }
  add_characters(tokens);
  struct ScoredMerge {
    SymbolId left, right;
    Merge merge;
  };
  std::vector<ScoredMerge> found;
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (!tokens.is_mergeable(token)) continue;
    if (std::isnan(scores[token])) {
      return fail(ErrorKind::corrupt,
                  fmt::format("The score of token {} is not a number; the file is damaged.", token));
    }
    const Merge merge{rank_of_score(scores[token]), token};
    const std::string_view bytes = tokens.bytes(token);
    std::size_t split = 0;
    for_each_character(bytes, [&](std::string_view character) {
      split += character.size();
      if (split == bytes.size()) return;
      const SymbolId left = symbol_of(bytes.substr(0, split));
      const SymbolId right = left == kNoSymbol ? kNoSymbol : symbol_of(bytes.substr(split));
      if (right != kNoSymbol) found.push_back({left, right, merge});
    });
  }
  merges_ = MergeTable(found.size());
  for (const ScoredMerge& scored : found) merges_.insert(scored.left, scored.right, scored.merge);
  return {};
}

SymbolId MergeRules::first_symbol(std::string_view piece, std::size_t position, std::size_t& size) const {
  if (algorithm_ == Algorithm::byte_level_bpe) {
    size = 1;
    return byte_symbols_[static_cast<unsigned char>(piece[position])];
  }
  const Character character = read_character(piece, position);
  size = character.code_point == kInvalidCodePoint ? 1 : character.size;
  return symbol_of(piece.substr(position, size));
}

void MergeRules::append_untokenizable(std::string_view bytes, std::vector<TokenId>& out) const {
  bool unknown = false;
  for (const char byte : bytes) {
    if (const auto token = byte_tokens_[static_cast<unsigned char>(byte)]) {
      out.push_back(*token);
    } else {
      unknown = true;
    }
  }
  if (unknown && unknown_) out.push_back(*unknown_);
}

}  // namespace stint::tokenizer
