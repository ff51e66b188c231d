#include "tokenizer/token_table.h"

#include <fmt/format.h>

#include <charconv>

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/sentencepiece_space.h"
#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// The byte of "<0xXX>".
std::optional<unsigned char> byte_of_spelling(std::string_view spelled) {
  if (spelled.size() != 6 || !spelled.starts_with("<0x") || spelled[5] != '>') return std::nullopt;
  unsigned value = 0;
  const char* end = spelled.data() + 5;
  const auto [stop, error] = std::from_chars(spelled.data() + 3, end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<unsigned char>(value);
}

Result<void> check_sizes(const Vocabulary& vocabulary) {
  const std::size_t count = vocabulary.tokens.size();
  if (count == 0)
    return fail(ErrorKind::corrupt, "The vocabulary has no tokens; use a model file with tokenizer.ggml.tokens.");
  if (count > kTokenCountMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("The vocabulary has {} tokens, more than the limit of {}; the file is damaged.", count,
                            kTokenCountMax));
  }
  if (!vocabulary.types.empty() && vocabulary.types.size() != count) {
    return fail(ErrorKind::corrupt, fmt::format("The vocabulary has {} tokens but {} token types; the file is damaged.",
                                                count, vocabulary.types.size()));
  }
  std::size_t size = 0;
  for (const std::string& token : vocabulary.tokens) size += token.size();
  if (size > kTokenArenaSizeMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("The vocabulary's tokens take {} bytes, more than the limit of {}; the file is "
                            "damaged.",
                            size, kTokenArenaSizeMax));
  }
  return {};
}

}  // namespace

Result<TokenTable> TokenTable::build(const Vocabulary& vocabulary) {
  if (auto checked = check_sizes(vocabulary); !checked) return std::unexpected(checked.error());
  const std::size_t count = vocabulary.tokens.size();
  std::size_t size = 0;
  for (const std::string& token : vocabulary.tokens) size += token.size();
  TokenTable table;
  table.texts_.reserve(size);  // the index keeps views of it: it must not grow
  table.bytes_.reserve(size);
  table.mergeable_.resize(count);
  table.by_text_ = TokenIndex(count);
  for (TokenId token = 0; token < count; ++token) {
    if (auto added = table.add(vocabulary, token); !added) return std::unexpected(added.error());
  }
  return table;
}

Result<void> TokenTable::add(const Vocabulary& vocabulary, TokenId token) {
  const std::string& spelled = vocabulary.tokens[token];
  const TokenType type = vocabulary.types.empty() ? TokenType::normal : vocabulary.types[token];
  if (spelled.size() > kTokenSizeMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("Token {} has {} bytes, more than the limit of {}; the file is damaged.", token,
                            spelled.size(), kTokenSizeMax));
  }
  if (type < TokenType::normal || type > TokenType::byte) {
    return fail(ErrorKind::corrupt,
                fmt::format("Token {} has the unknown type {}; the file is damaged.", token, static_cast<int>(type)));
  }
  types_.push_back(type);
  texts_.insert(texts_.end(), spelled.begin(), spelled.end());
  text_ends_.push_back(static_cast<std::uint32_t>(texts_.size()));
  // Some files pad the vocabulary with empty tokens; they can be met only as ids.
  if (!spelled.empty() && !by_text_.insert(text(token), token)) {
    return fail(ErrorKind::corrupt, fmt::format("Tokens {} and {} are spelled alike (\"{}\"); the file is damaged.",
                                                *by_text_.find(spelled), token, spelled));
  }
  if (type == TokenType::byte) {
    const auto byte = byte_of_spelling(spelled);
    if (!byte) {
      return fail(ErrorKind::corrupt,
                  fmt::format("Token {} is a byte token but spelled \"{}\", not like <0x0A>; the file is damaged.",
                              token, spelled));
    }
    if (!byte_tokens_[*byte]) byte_tokens_[*byte] = token;
  }
  append_bytes(vocabulary.algorithm, token, spelled);
  byte_ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  text_like_.push_back(is_utf8(bytes(token)));
  return {};
}

void TokenTable::append_bytes(Algorithm algorithm, TokenId token, std::string_view spelled) {
  const auto append = [this](std::string_view bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); };
  switch (types_[token]) {
    case TokenType::control:
    case TokenType::unknown:
      return;
    case TokenType::byte:
      return bytes_.push_back(static_cast<char>(*byte_of_spelling(spelled)));
    case TokenType::user_defined:
      return append(spelled);
    case TokenType::normal:
    case TokenType::unused:
      break;
  }
  if (algorithm == Algorithm::sentencepiece_bpe) {
    const bool plain = !spelled.empty() && is_utf8(spelled) && spelled.find(' ') == std::string_view::npos;
    mergeable_[token] = types_[token] == TokenType::normal && plain;
    return append(with_plain_spaces(spelled));
  }
  const auto bytes = bytes_of_alphabet(spelled);
  mergeable_[token] = bytes && !spelled.empty();
  append(bytes ? *bytes : std::string(spelled));
}

}  // namespace stint::tokenizer
