// The tokens of a vocabulary: how each is spelled, which bytes it stands for, its type; and the way back from a
// spelling. Immutable after build and thread-safe. Owns its strings: two arenas and one index, about 40 bytes a token
// beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "tokenizer/token_index.h"
#include "tokenizer/tokenizer.h"

namespace stint::tokenizer {

inline constexpr std::size_t kTokenCountMax = std::size_t{1} << 20;
inline constexpr std::size_t kTokenSizeMax = 1024;                       // bytes of one spelling
inline constexpr std::size_t kTokenArenaSizeMax = std::size_t{8} << 20;  // bytes of all spellings together

class TokenTable {
 public:
  // Errors: corrupt (see tokenizer.h). Reads tokens, types and algorithm only.
  static Result<TokenTable> build(const Vocabulary& vocabulary);

  std::size_t count() const { return types_.size(); }
  TokenType type(TokenId token) const { return types_[token]; }
  // Whether its bytes are whole characters, as those of most tokens are.
  bool is_text(TokenId token) const { return text_like_[token]; }
  // As the vocabulary spells it.
  std::string_view text(TokenId token) const { return slice(texts_, text_ends_, token); }
  // What it stands for in a text; empty for control and unknown tokens.
  std::string_view bytes(TokenId token) const { return slice(bytes_, byte_ends_, token); }
  std::optional<TokenId> find(std::string_view text) const { return by_text_.find(text); }
  // SentencePiece: the token <0xXX> of a byte, if there is one.
  std::optional<TokenId> byte_token(unsigned char byte) const { return byte_tokens_[byte]; }
  // Whether merges may produce it: ordinary tokens only, so that no text spells a control token by chance.
  bool is_mergeable(TokenId token) const { return mergeable_[token]; }

 private:
  static std::string_view slice(const std::vector<char>& arena, const std::vector<std::uint32_t>& ends, TokenId token) {
    const std::uint32_t begin = token == 0 ? 0 : ends[token - 1];
    return {arena.data() + begin, ends[token] - begin};
  }
  Result<void> add(const Vocabulary& vocabulary, TokenId token);
  void append_bytes(Algorithm algorithm, TokenId token, std::string_view spelled);

  std::vector<char> texts_, bytes_;  // vectors, so that views survive a move of the table
  std::vector<std::uint32_t> text_ends_, byte_ends_;
  std::vector<TokenType> types_;
  std::vector<bool> mergeable_, text_like_;
  std::array<std::optional<TokenId>, 256> byte_tokens_{};
  TokenIndex by_text_;
};

}  // namespace stint::tokenizer
