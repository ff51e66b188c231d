// Tokenizer: text <-> token ids of one model's vocabulary, exact and linear in the size of the text.
// Immutable after build and thread-safe; Encoder and Decoder hold the per-text state and are not.
// Owns its tables; the vocabulary it was built from may be freed. Text is UTF-8; invalid bytes encode as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"

namespace stint::tokenizer {

using TokenId = std::uint32_t;

enum class TokenType : std::uint8_t { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

enum class Algorithm : std::uint8_t { byte_level_bpe, sentencepiece_bpe };

// Which text splits into pieces before merges; names as in GGUF's tokenizer.ggml.pre.
enum class PreTokenizer : std::uint8_t { none, gpt2, smollm, qwen2, llama_bpe };

// Everything a vocabulary file says, as plain data; GGUF and tests both fill it.
struct Vocabulary {
  Algorithm algorithm = Algorithm::byte_level_bpe;
  PreTokenizer pre_tokenizer = PreTokenizer::gpt2;
  std::vector<std::string> tokens;  // as stored: byte-level alphabet for BPE, U+2581 for SentencePiece
  std::vector<TokenType> types;     // empty: all normal
  std::vector<float> scores;        // SentencePiece only
  std::vector<std::string> merges;  // "left right", best first; BPE only
  std::optional<TokenId> bos, eos, unknown;
  std::vector<TokenId> end_of_generation;  // EOS, EOT and the like
  bool add_bos = false;
  bool add_space_prefix = false;  // SentencePiece
  bool ignore_merges = false;     // llama-bpe: a piece that is a whole token is that token
  bool normalize_nfc = false;     // qwen2
};

// trusted: template text, where `<|im_start|>` is one control token. user: the same letters are just letters
// (user-defined tokens still match, as they are ordinary words of the vocabulary).
enum class Trust : std::uint8_t { user, trusted };

class Tokenizer;

// Encodes text that arrives in parts; commits all but the last two pieces, holds back incomplete UTF-8, text that NFC
// may still change and proper prefixes of special tokens. Appending parts then finish() gives exactly encode(whole).
class Encoder {
 public:
  Encoder(const Tokenizer& tokenizer, Trust trust);
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  // How far the text from here on is trusted. No special token spans the border; pieces and merges do, as if there were
  // none. Appends the tokens that this settles.
  void set_trust(Trust trust, std::vector<TokenId>& out);
  // Appends to `out` the tokens that no later text can change.
  void append(std::string_view part, std::vector<TokenId>& out);
  // The end of the text: appends the remaining tokens. The encoder is then empty and may be used again.
  void finish(std::vector<TokenId>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Turns tokens back into text that is valid UTF-8 at every step: incomplete characters wait, invalid bytes become
// U+FFFD.
class Decoder {
 public:
  explicit Decoder(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  // Appends the text that `token` completes, perhaps nothing. Control tokens give no text.
  void append(TokenId token, std::string& out);
  // The end: an incomplete character becomes U+FFFD.
  void finish(std::string& out);

 private:
  const Tokenizer* tokenizer_;
  std::string pending_;   // at most 3 bytes of an incomplete character
  bool at_start_ = true;  // SentencePiece: the space prefix is dropped once
};

class Tokenizer {
 public:
  // Errors: corrupt (a merge names an unknown token, ids out of range, more than 2^20 tokens), unsupported.
  static Result<std::unique_ptr<const Tokenizer>> build(Vocabulary vocabulary);
  ~Tokenizer();

  // Appends the ids of `text`. No BOS: that is added in one place, Tokenizer::begin_of_text. O(text size).
  void encode(std::string_view text, Trust trust, std::vector<TokenId>& out) const;
  std::vector<TokenId> encode(std::string_view text, Trust trust) const;
  // Number of tokens, or `limit` + 1 as soon as there are more than `limit`.
  std::size_t count_until(std::string_view text, Trust trust, std::size_t limit) const;

  // The BOS token to put before a prompt of rendered `tokens`, unless the template already put it there.
  std::optional<TokenId> begin_of_text(std::span<const TokenId> tokens) const;

  std::string decode(std::span<const TokenId> tokens) const;
  // The raw bytes of one token; empty for control tokens.
  std::string_view token_bytes(TokenId token) const;
  // The token as the vocabulary spells it, control tokens included, e.g. "<|im_end|>".
  std::string_view token_text(TokenId token) const;
  std::optional<TokenId> find_token(std::string_view text) const;
  TokenType token_type(TokenId token) const;
  bool is_end_of_generation(TokenId token) const;
  std::optional<TokenId> bos() const;
  std::optional<TokenId> eos() const;
  std::size_t vocabulary_count() const;

 private:
  friend class Encoder;
  friend class Decoder;
  struct Tables;
  explicit Tokenizer(std::unique_ptr<Tables> tables);
  // Stops after the piece that makes `out` larger than `count_max`.
  void encode_until(std::string_view text, Trust trust, std::size_t count_max, std::vector<TokenId>& out) const;
  std::unique_ptr<Tables> tables_;
};

}  // namespace stint::tokenizer
