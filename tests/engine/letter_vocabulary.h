// A tokenizer for HashModel's 50 tokens: 0 ends generation, 1 is another control token, 2..27 are the letters a..z, 28
// is a space, 29..38 are digits, 39..41 the three bytes of U+65E5, 42.. short words.
#pragma once

#include <memory>
#include <string>

#include "tests/fakes/hash_model.h"
#include "tokenizer/tokenizer.h"

namespace stint::engine {

inline std::unique_ptr<const tokenizer::Tokenizer> letter_tokenizer() {
  using tokenizer::TokenType;
  tokenizer::Vocabulary vocabulary;
  vocabulary.tokens = {"<|end|>", "<|mark|>"};
  vocabulary.types = {TokenType::control, TokenType::control};
  for (char letter = 'a'; letter <= 'z'; ++letter) vocabulary.tokens.emplace_back(1, letter);
  vocabulary.tokens.emplace_back("\u0120");
  for (char digit = '0'; digit <= '9'; ++digit) vocabulary.tokens.emplace_back(1, digit);
  for (const char* text : {"\u00e6", "\u0139", "\u00a5", "the", "and", "\u0120of", "ing", "un", "ed", "st", "qu"})
    vocabulary.tokens.emplace_back(text);
  vocabulary.types.resize(vocabulary.tokens.size(), TokenType::normal);
  vocabulary.eos = 0;
  vocabulary.end_of_generation = {0};
  auto built = tokenizer::Tokenizer::build(std::move(vocabulary));
  STINT_ASSERT(built.has_value() && (*built)->vocabulary_count() == fakes::HashModel::kVocabularyCount);
  return std::move(*built);
}

inline constexpr tokenizer::TokenId kEnd = 0;
inline constexpr tokenizer::TokenId kMark = 1;
inline constexpr tokenizer::TokenId letter(char c) {
  return static_cast<tokenizer::TokenId>(2 + c - 'a');
}
inline constexpr tokenizer::TokenId kSpace = 28;
inline constexpr tokenizer::TokenId kSun = 39;  // first of three bytes

}  // namespace stint::engine
