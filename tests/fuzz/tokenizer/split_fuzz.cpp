// Any text in any parts: the incremental encoder gives what encoding the whole gives, for every kind of vocabulary.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "tests/tokenizer/small_vocabulary.h"
#include "tokenizer/tokenizer.h"

namespace {

using namespace stint::tokenizer;

const std::vector<std::pair<std::string, TokenType>> kSpecials = {
    {"<|a|>", TokenType::control}, {"<|a|>>", TokenType::user_defined}, {"<|", TokenType::user_defined}};

std::unique_ptr<const Tokenizer> build(unsigned kind) {
  stint::base::Random random(kind);
  Vocabulary vocabulary = byte_vocabulary(random_merges(random, "ab'sre 1\n!<", 60), kSpecials);
  vocabulary.pre_tokenizer = static_cast<PreTokenizer>(kind);
  vocabulary.normalize_nfc = vocabulary.pre_tokenizer == PreTokenizer::qwen2;
  vocabulary.ignore_merges = vocabulary.pre_tokenizer == PreTokenizer::llama_bpe;
  if (kind >= 5) {
    vocabulary =
        sentencepiece_vocabulary({"▁a", "ab", "abab", "▁▁", "▁", "a", "b", "日本", "e\u0301", "\n"}, kSpecials);
    vocabulary.add_space_prefix = kind == 6;
  }
  return Tokenizer::build(vocabulary).value();
}

constexpr unsigned kKindCount = 7;

}  // namespace

// The first byte chooses the vocabulary and the trust, the second how long parts may be; the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto tokenizers = [] {
    std::array<std::unique_ptr<const Tokenizer>, kKindCount> built;
    for (unsigned kind = 0; kind < kKindCount; ++kind) built[kind] = build(kind);
    return built;
  }();
  if (size < 2) return 0;
  const Tokenizer& tokenizer = *tokenizers[data[0] % kKindCount];
  const Trust trust = (data[0] & 0x80) != 0 ? Trust::trusted : Trust::user;
  const std::size_t part_size_max = 1 + data[1] % 16;
  std::string text(size - 2, '\0');
  if (size > 2) std::memcpy(text.data(), data + 2, size - 2);
  Encoder encoder(tokenizer, trust);
  std::vector<TokenId> tokens;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t part_size = 1 + static_cast<unsigned char>(text[begin]) % part_size_max;
    encoder.append(std::string_view(text).substr(begin, part_size), tokens);
    begin += part_size;
  }
  encoder.finish(tokens);
  if (tokens != tokenizer.encode(text, trust)) __builtin_trap();
  return 0;
}
