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

template <typename Visit>
void for_each_character(std::string_view text, Visit&& visit) {
  for (std::size_t position = 0; position < text.size();) {
    const Character character = read_character(text, position);
    visit(character.code_point, text.substr(position, character.size));
    position += character.size;
  }
}

}  // namespace

Result<MergeRules> MergeRules::build(const Vocabulary& vocabulary, const TokenTable& tokens) {
  MergeRules rules;
  rules.by_score_ = vocabulary.algorithm == Algorithm::sentencepiece_bpe;
  rules.token_count_ = tokens.count();
  // Text never produces a control token, not even for want of another.
  if (vocabulary.unknown && tokens.type(*vocabulary.unknown) != TokenType::control) rules.unknown_ = vocabulary.unknown;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    rules.byte_tokens_[byte] = tokens.byte_token(static_cast<unsigned char>(byte));
  }
  rules.bytes_.resize(tokens.count());
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (tokens.is_mergeable(token)) rules.bytes_[token] = tokens.bytes(token);
  }
  if (rules.by_score_) rules.add_lone_characters(tokens);
  if (auto built = rules.build_trie(tokens); !built) return std::unexpected(built.error());
  const auto added = rules.by_score_ ? rules.add_scored(vocabulary, tokens) : rules.add_listed(vocabulary, tokens);
  if (!added) return std::unexpected(added.error());
  return rules;
}

// Characters that occur in tokens but are none themselves: merges go through them all the same.
void MergeRules::add_lone_characters(const TokenTable& tokens) {
  std::vector<bool> known(kInvalidCodePoint + 1);
  for (TokenId token = 0; token < tokens.count(); ++token) {
    if (!bytes_[token].empty() && is_first(token)) known[read_character(bytes_[token], 0).code_point] = true;
  }
  for (TokenId token = 0; token < tokens.count(); ++token) {
    for_each_character(bytes_[token], [&](std::uint32_t code_point, std::string_view bytes) {
      if (known[code_point]) return;
      known[code_point] = true;
      bytes_.push_back(bytes);
    });
  }
}

Result<void> MergeRules::build_trie(const TokenTable& tokens) {
  std::vector<TokenTrie::Entry> entries;
  entries.reserve(bytes_.size());
  for (SymbolId symbol = 0; symbol < bytes_.size(); ++symbol) {
    if (!bytes_[symbol].empty()) entries.push_back({bytes_[symbol], symbol});
  }
  places_.resize(bytes_.size());
  auto trie = TokenTrie::build(entries, places_);
  if (!trie) {
    return fail(
        ErrorKind::corrupt,
        fmt::format("The {} tokens of the vocabulary are too long together; the file is damaged.", tokens.count()));
  }
  trie_ = std::move(*trie);
  return {};
}

Result<MergeRules::Listed> MergeRules::parse_merge(const TokenTable& tokens, std::string_view spelled,
                                                   std::size_t index) const {
  const auto corrupt = [&](std::string_view what) {
    return fail(ErrorKind::corrupt, fmt::format("Merge {} (\"{}\") {}; the file is damaged.", index, spelled, what));
  };
  const std::size_t space = spelled.find(' ', 1);
  if (space == std::string_view::npos || space + 1 == spelled.size()) return corrupt("does not name two tokens");
  const auto left = tokens.find(spelled.substr(0, space));
  const auto right = tokens.find(spelled.substr(space + 1));
  if (!left || !right) return corrupt("names a token that is not in the vocabulary");
  if (tokens.is_mergeable(*left) && tokens.is_mergeable(*right)) {
    const TokenTrie::Node node = trie_.walk(bytes_[*right], places_[*left].node);
    const SymbolId product = node == TokenTrie::kNowhere ? kNoSymbol : trie_.symbol(node);
    if (product != kNoSymbol) return Listed{*left, *right, product};
  }
  const std::string joined = std::string(spelled.substr(0, space)).append(spelled.substr(space + 1));
  if (!tokens.find(joined)) return corrupt("makes a token that is not in the vocabulary");
  return Listed{};
}

Result<void> MergeRules::add_listed(const Vocabulary& vocabulary, const TokenTable& tokens) {
  const std::vector<std::string>& merges = vocabulary.merges;
  if (merges.size() > kMergeCountMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("The vocabulary has {} merges, more than the limit of {}; the file is damaged.",
                            merges.size(), kMergeCountMax));
  }
  listed_ = MergeTable(merges.size());
  list_.reserve(merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto merge = parse_merge(tokens, merges[i], i);
    if (!merge) return std::unexpected(merge.error());
    list_.push_back(*merge);
    if (merge->product != kNoSymbol) listed_.insert(merge->left, merge->right, static_cast<MergeRank>(i));
  }
  return {};
}

Result<void> MergeRules::add_scored(const Vocabulary& vocabulary, const TokenTable& tokens) {
  if (vocabulary.scores.size() != tokens.count()) {
    return fail(ErrorKind::corrupt, fmt::format("The vocabulary has {} tokens but {} scores; the file is damaged.",
                                                tokens.count(), vocabulary.scores.size()));
  }
  ranks_.assign(bytes_.size(), kNeverMerges);
  for (SymbolId symbol = 0; symbol < bytes_.size(); ++symbol) {
    if (bytes_[symbol].empty()) continue;
    if (!is_token(symbol)) continue;
    if (std::isnan(vocabulary.scores[symbol])) {
      return fail(ErrorKind::corrupt,
                  fmt::format("The score of token {} is not a number; the file is damaged.", symbol));
    }
    if (!is_first(symbol)) ranks_[symbol] = rank_of_score(vocabulary.scores[symbol]);
  }
  return {};
}

std::size_t MergeRules::first_size(std::string_view text, std::size_t position) const {
  if (!by_score_) return 1;
  const Character character = read_character(text, position);
  return character.code_point == kInvalidCodePoint ? 1 : character.size;
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
