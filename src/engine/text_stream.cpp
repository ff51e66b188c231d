#include "engine/text_stream.h"

#include <utility>

namespace stint::engine {

TextStream::TextStream(const tokenizer::Tokenizer& tokenizer, std::span<const std::string> stop_strings)
    : tokenizer_(tokenizer), decoder_(tokenizer), matcher_(stop_strings) {}

std::optional<std::size_t> TextStream::append(OutputToken token, Output& out) {
  decoded_.clear();
  if (!tokenizer_.is_end_of_generation(token.token)) decoder_.append(token.token, decoded_);
  const std::size_t begin = std::exchange(decoded_size_, decoded_size_ + decoded_.size());
  held_.push_back({std::move(token), begin, decoded_size_});

  const std::size_t before = out.text.size();
  const std::optional<std::size_t> stop = matcher_.append(decoded_, out.text);
  shown_size_ += out.text.size() - before;
  while (!held_.empty()) {
    const Held& front = held_.front();
    if (stop ? front.begin >= shown_size_ : front.end > shown_size_) break;
    out.tokens.push_back(std::move(held_.front().token));
    held_.pop_front();
  }
  return stop;
}

void TextStream::finish(Output& out) {
  matcher_.finish(out.text);
  decoder_.finish(out.text);
  for (Held& held : held_) out.tokens.push_back(std::move(held.token));
  held_.clear();
}

}  // namespace stint::engine
