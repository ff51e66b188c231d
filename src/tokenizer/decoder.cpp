#include "tokenizer/tables.h"
#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

// Moves the whole characters of `bytes` to `out`, invalid ones as U+FFFD, and returns the incomplete rest.
std::string_view append_characters(std::string_view bytes, std::string& out) {
  std::size_t position = 0;
  while (position < bytes.size()) {
    const Character character = read_character(bytes, position);
    if (character.incomplete) break;
    out += character.code_point == kInvalidCodePoint ? kReplacementCharacter : bytes.substr(position, character.size);
    position += character.size;
  }
  return bytes.substr(position);
}

}  // namespace

void Decoder::append(TokenId token, std::string& out) {
  std::string_view bytes = tokenizer_->token_bytes(token);
  if (bytes.empty()) return;
  if (at_start_ && tokenizer_->tables_->is_sentencepiece() && tokenizer_->tables_->add_space_prefix &&
      bytes.front() == ' ') {
    bytes.remove_prefix(1);
  }
  at_start_ = false;
  if (pending_.empty()) {
    if (tokenizer_->tables_->tokens.is_text(token)) {
      out += bytes;
      return;
    }
    pending_ = append_characters(bytes, out);
    return;
  }
  pending_ += bytes;
  const std::string joined = std::move(pending_);
  pending_ = append_characters(joined, out);
}

void Decoder::finish(std::string& out) {
  if (!pending_.empty()) out += kReplacementCharacter;
  pending_.clear();
  at_start_ = true;
}

}  // namespace stint::tokenizer
