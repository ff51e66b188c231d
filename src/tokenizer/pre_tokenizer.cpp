#include "tokenizer/pre_tokenizer.h"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tokenizer/unicode_classes.h"
#include "tokenizer/utf8.h"

namespace stint::tokenizer {
namespace {

constexpr std::uint8_t kOther = 0;
constexpr std::uint8_t kEnd = 0x80;  // no character: the text is over
constexpr std::uint8_t kClassMask = kLetter | kNumber | kSpace;

// One character as the scanners see it: its class, its first byte (enough to tell ASCII apart) and its size.
struct Symbol {
  std::uint8_t kind;
  char lead;
  std::uint32_t size;
};

class Text {
 public:
  explicit Text(std::string_view text) : text_(text) {}

  Symbol at(std::size_t position) const {
    if (position >= text_.size()) return {kEnd, '\0', 0};
    const char lead = text_[position];
    if (static_cast<signed char>(lead) >= 0) return {ascii_class(lead), lead, 1};
    const Character character = read_character(text_, position);
    if (character.code_point == kInvalidCodePoint) return {kOther, lead, character.size};
    return {static_cast<std::uint8_t>(unicode_class(character.code_point) & kClassMask), lead, character.size};
  }

  // The end of the run of characters of class `kind` that begins at `position`.
  std::size_t run_end(std::size_t position, std::uint8_t kind) const {
    if (kind == kLetter) position = ascii_letters_end(position);
    for (Symbol symbol = at(position); symbol.kind == kind; symbol = at(position)) position += symbol.size;
    return position;
  }

  char byte(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  bool is_newline(std::size_t position) const { return byte(position) == '\n' || byte(position) == '\r'; }

 private:
  // The end of the ASCII letters at `position`, of those that fit whole blocks of 16; the caller goes on from there.
  // Most words take one step without a branch that depends on their size.
  std::size_t ascii_letters_end(std::size_t position) const {
#if defined(__SSE2__)
    while (position + 16 <= text_.size()) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text_.data() + position));
      // a to z become -128 to -103 (and A to Z with them), everything else is larger.
      const __m128i moved = _mm_add_epi8(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), _mm_set1_epi8(256 - 128 - 'a'));
      const int others = _mm_movemask_epi8(_mm_cmpgt_epi8(moved, _mm_set1_epi8(-128 + 25)));
      if (others != 0) return position + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(others)));
      position += 16;
    }
#endif
    return position;
  }

  static std::uint8_t ascii_class(char c) { return unicode_class(static_cast<unsigned char>(c)); }

  std::string_view text_;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// The size of 's 't 're 've 'm 'll 'd at an apostrophe, or 0.
template <bool any_case>
std::size_t contraction_size(const Text& text, std::size_t position) {
  const auto letter = [&](std::size_t i) {
    const char c = text.byte(position + i);
    return any_case ? lower(c) : c;
  };
  const char first = letter(1);
  const char second = letter(2);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if ((first == 'r' || first == 'v') && second == 'e') return 3;
  if (first == 'l' && second == 'l') return 3;
  // Case folding makes U+017F (long s, bytes C5 BF) an s.
  if (any_case && first == '\xC5' && second == '\xBF') return 3;
  return 0;
}

// \s+(?!\S)|\s+ : a run of whitespace leaves its last character to the word that follows, unless it is the only one.
// `isolated` is the class that counts as the end of the text.
std::size_t whitespace_end(const Text& text, std::size_t begin, std::uint8_t isolated) {
  std::size_t last = begin;
  std::size_t end = begin;
  Symbol symbol = text.at(end);
  for (; symbol.kind == kSpace; symbol = text.at(end)) {
    last = end;
    end += symbol.size;
  }
  return symbol.kind == kEnd || symbol.kind == isolated || last == begin ? end : last;
}

template <bool isolate_numbers>
std::size_t gpt2_end(const Text& text, std::size_t begin) {
  const Symbol first = text.at(begin);
  if (isolate_numbers && first.kind == kNumber) return begin + first.size;
  if (first.lead == '\'') {
    if (const std::size_t size = contraction_size<false>(text, begin)) return begin + size;
  }
  const std::size_t body = begin + (first.lead == ' ' ? 1 : 0);
  const Symbol next = body == begin ? first : text.at(body);
  const bool word = next.kind == kLetter || next.kind == kOther || (next.kind == kNumber && !isolate_numbers);
  if (word) return text.run_end(body + next.size, next.kind);
  return whitespace_end(text, begin, isolate_numbers ? kNumber : kEnd);
}

// \s*[\r\n]+|\s+(?!\S)|\s+
std::size_t whitespace_or_newlines_end(const Text& text, std::size_t begin) {
  std::size_t after_newline = begin;
  for (std::size_t end = begin;;) {
    const Symbol symbol = text.at(end);
    if (symbol.kind != kSpace) break;
    end += symbol.size;
    if (symbol.lead == '\n' || symbol.lead == '\r') after_newline = end;
  }
  return after_newline != begin ? after_newline : whitespace_end(text, begin, kEnd);
}

template <int number_count_max>
std::size_t llama_end(const Text& text, std::size_t begin) {
  const Symbol first = text.at(begin);
  if (first.kind == kLetter) return text.run_end(begin + first.size, kLetter);
  if (first.kind == kNumber) {
    std::size_t end = begin + first.size;
    for (int count = 1; count < number_count_max; ++count) {
      const Symbol symbol = text.at(end);
      if (symbol.kind != kNumber) break;
      end += symbol.size;
    }
    return end;
  }
  if (first.lead == '\'') {
    if (const std::size_t size = contraction_size<true>(text, begin)) return begin + size;
  }
  const bool newline = text.is_newline(begin);
  const Symbol next = text.at(begin + first.size);
  if (!newline && next.kind == kLetter) return text.run_end(begin + first.size + next.size, kLetter);
  if (first.kind == kOther || (first.lead == ' ' && next.kind == kOther)) {
    std::size_t end = text.run_end(begin + first.size, kOther);
    while (text.is_newline(end)) ++end;
    return end;
  }
  return whitespace_or_newlines_end(text, begin);
}

}  // namespace

std::size_t piece_end(PreTokenizer rules, std::string_view text, std::size_t begin) {
  switch (rules) {
    case PreTokenizer::gpt2:
      return gpt2_end<false>(Text(text), begin);
    case PreTokenizer::smollm:
      return gpt2_end<true>(Text(text), begin);
    case PreTokenizer::qwen2:
      return llama_end<1>(Text(text), begin);
    case PreTokenizer::llama_bpe:
      return llama_end<3>(Text(text), begin);
    case PreTokenizer::none:
      break;
  }
  return text.size();
}

}  // namespace stint::tokenizer
