// Small vocabularies for the tokenizer's tests, and the slow, obvious encoder that the fast one is compared with.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/random.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

// All 256 bytes as tokens 0 to 255, then the products of `merges` (pairs of plain bytes, best first), then `specials`.
inline Vocabulary byte_vocabulary(const std::vector<std::pair<std::string, std::string>>& merges,
                                  const std::vector<std::pair<std::string, TokenType>>& specials = {}) {
  Vocabulary vocabulary;
  std::set<std::string> known;
  const auto add = [&](const std::string& spelled, TokenType type) {
    if (!known.insert(spelled).second) return;
    vocabulary.tokens.push_back(spelled);
    vocabulary.types.push_back(type);
  };
  for (int byte = 0; byte < 256; ++byte)
    add(alphabet_of_bytes(std::string(1, static_cast<char>(byte))), TokenType::normal);
  for (const auto& [left, right] : merges) {
    add(alphabet_of_bytes(left + right), TokenType::normal);
    vocabulary.merges.push_back(alphabet_of_bytes(left) + " " + alphabet_of_bytes(right));
  }
  for (const auto& [text, type] : specials) add(text, type);
  return vocabulary;
}

// SentencePiece: <unk>, 256 byte tokens, then `pieces` (with U+2581 for a space) of scores -1, -2, ...
inline Vocabulary sentencepiece_vocabulary(const std::vector<std::string>& pieces,
                                           const std::vector<std::pair<std::string, TokenType>>& specials = {}) {
  Vocabulary vocabulary;
  vocabulary.algorithm = Algorithm::sentencepiece_bpe;
  vocabulary.pre_tokenizer = PreTokenizer::none;
  const auto add = [&](std::string text, TokenType type, float score) {
    vocabulary.tokens.push_back(std::move(text));
    vocabulary.types.push_back(type);
    vocabulary.scores.push_back(score);
  };
  add("<unk>", TokenType::unknown, 0);
  vocabulary.unknown = 0;
  for (int byte = 0; byte < 256; ++byte) add(fmt::format("<0x{:02X}>", byte), TokenType::byte, 0);
  float score = 0;
  for (const std::string& piece : pieces) add(piece, TokenType::normal, score -= 1);
  for (const auto& [text, type] : specials) add(text, type, 0);
  return vocabulary;
}

// Random merges over a few letters: every product is a pair of symbols known before it, as in trained vocabularies.
inline std::vector<std::pair<std::string, std::string>> random_merges(base::Random& random, std::string_view letters,
                                                                      std::size_t count) {
  std::vector<std::string> symbols;
  std::set<std::string> known;
  for (const char letter : letters) {
    symbols.emplace_back(1, letter);
    known.insert(symbols.back());
  }
  std::vector<std::pair<std::string, std::string>> merges;
  while (merges.size() < count) {
    const std::string& left = symbols[random.below(symbols.size())];
    const std::string& right = symbols[random.below(symbols.size())];
    if (left.size() + right.size() > 12 || !known.insert(left + right).second) continue;
    merges.emplace_back(left, right);
    symbols.push_back(left + right);
  }
  return merges;
}

// The definition of byte pair encoding on symbols that are strings: quadratic and plain.
inline std::vector<std::string> merge_slowly(std::vector<std::string> symbols,
                                             const std::map<std::pair<std::string, std::string>, std::size_t>& ranks) {
  while (true) {
    std::size_t best = std::numeric_limits<std::size_t>::max();
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = ranks.find({symbols[i], symbols[i + 1]});
      if (found == ranks.end() || found->second >= best) continue;
      best = found->second;
      place = i;
    }
    if (best == std::numeric_limits<std::size_t>::max()) return symbols;
    symbols[place] += symbols[place + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

}  // namespace stint::tokenizer
