// TextStream: turns one sequence's tokens into text that will not be taken back: characters complete, no stop string
// can still begin in it. Keeps each token until its text is out. Engine driver only; one per sequence; owns its state.
// Memory: what is held back, at most a stop string and its tokens.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "engine/messages.h"
#include "engine/sample/stop_matcher.h"
#include "tokenizer/tokenizer.h"

namespace stint::engine {

class TextStream {
 public:
  TextStream(const tokenizer::Tokenizer& tokenizer, std::span<const std::string> stop_strings);

  // Appends to `out` the text that has become certain and the tokens it came from. Once a stop string is found its
  // index is returned, and nothing may follow; tokens of which no byte is shown are dropped. Tokens that end generation
  // have no text.
  std::optional<std::size_t> append(OutputToken token, Output& out);
  // The end: gives out what was held back, an incomplete character as U+FFFD. Not after a stop string.
  void finish(Output& out);

 private:
  struct Held {
    OutputToken token;
    std::size_t begin = 0;  // of its text, counted from the start of the answer
    std::size_t end = 0;
  };

  const tokenizer::Tokenizer& tokenizer_;
  tokenizer::Decoder decoder_;
  sample::StopMatcher matcher_;
  std::string decoded_;           // of the last token; kept for its memory
  std::size_t decoded_size_ = 0;  // bytes decoded so far
  std::size_t shown_size_ = 0;    // bytes given out so far
  std::deque<Held> held_;
};

}  // namespace stint::engine
