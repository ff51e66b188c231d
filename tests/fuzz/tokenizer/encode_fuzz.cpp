// Any vocabulary: build gives an Error, or a tokenizer whose encoding with and without the memory of pieces, in one
// part and in two, is the same, counts right, and decodes to valid UTF-8 of ids in range.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "platform/base/utf8.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/tokenizer.h"

namespace {

using namespace stint::tokenizer;

void expect(bool condition) {
  if (!condition) __builtin_trap();
}

// Fields separated by 0xFF, the last of which is the text to encode.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  std::string_view field() {
    const std::size_t end = bytes_.find('\xFF');
    const std::string_view field = bytes_.substr(0, end);
    bytes_.remove_prefix(end == std::string_view::npos ? bytes_.size() : end + 1);
    return field;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

Vocabulary read_vocabulary(Fields& fields) {
  Vocabulary vocabulary;
  const unsigned flags = fields.byte();
  vocabulary.algorithm = (flags & 1) != 0 ? Algorithm::sentencepiece_bpe : Algorithm::byte_level_bpe;
  vocabulary.add_space_prefix = (flags & 2) != 0;
  vocabulary.ignore_merges = (flags & 4) != 0;
  vocabulary.normalize_nfc = (flags & 8) != 0;
  vocabulary.pre_tokenizer = static_cast<PreTokenizer>((flags >> 4) % 5);
  if ((flags & 128) != 0) vocabulary.unknown = fields.byte();
  const bool alphabet = (fields.byte() & 1) != 0;
  for (unsigned count = fields.byte() % 64; count > 0; --count) {
    const unsigned head = fields.byte();
    const std::string_view text = fields.field();
    vocabulary.tokens.push_back(alphabet ? alphabet_of_bytes(text) : std::string(text));
    vocabulary.types.push_back(static_cast<TokenType>(head % 8));
    vocabulary.scores.push_back(static_cast<float>(head / 8) - 16);
  }
  const std::size_t token_count = vocabulary.tokens.size();
  for (unsigned count = fields.byte() % 64; count > 0 && token_count > 0; --count) {
    const std::string& left = vocabulary.tokens[fields.byte() % token_count];
    const std::string& right = vocabulary.tokens[fields.byte() % token_count];
    vocabulary.merges.push_back(left + " " + right);
  }
  return vocabulary;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(size, '\0');
  if (size != 0) std::memcpy(bytes.data(), data, size);
  Fields fields(bytes);
  const auto built = Tokenizer::build(read_vocabulary(fields));
  if (!built) return 0;
  const Tokenizer& tokenizer = **built;
  const std::string_view text = fields.rest();
  for (const Trust trust : {Trust::user, Trust::trusted}) {
    const std::vector<TokenId> tokens = tokenizer.encode(text, trust);
    expect(tokens == tokenizer.encode(text, trust));
    expect(tokenizer.count_until(text, trust, tokens.size()) == tokens.size());
    for (const TokenId token : tokens) {
      expect(token < tokenizer.vocabulary_count());
      expect(trust == Trust::trusted || tokenizer.token_type(token) != TokenType::control);
    }
    Encoder encoder(tokenizer, trust);
    std::vector<TokenId> in_parts;
    encoder.append(text.substr(0, text.size() / 2), in_parts);
    encoder.append(text.substr(text.size() / 2), in_parts);
    encoder.finish(in_parts);
    expect(in_parts == tokens);
    const std::string decoded = tokenizer.decode(tokens);
    expect(stint::base::utf8_valid_size(decoded) == decoded.size());
  }
  return 0;
}
