#include "tokenizer/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tokenizer/unicode_classes.h"

namespace stint::tokenizer {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces(PreTokenizer rules, std::string_view text) {
  Pieces result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = piece_end(rules, text, begin);
    result.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return result;
}

// Expected values: HF tokenizers 0.23.3 (Oniguruma, Unicode 16.0) with the expressions of the header.
TEST(PreTokenizer, gpt2_words_take_one_space) {
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "Hello world  two"), (Pieces{"Hello", " world", " ", " two"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a 12 !? b"), (Pieces{"a", " 12", " !?", " b"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a\n\nb\n"), (Pieces{"a", "\n", "\n", "b", "\n"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a   "), (Pieces{"a", "   "}));
}

TEST(PreTokenizer, gpt2_contractions_are_lower_case) {
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "it's"), (Pieces{"it", "'s"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "IT'S"), (Pieces{"IT", "'", "S"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "we'll've'd"), (Pieces{"we", "'ll", "'ve", "'d"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a'x"), (Pieces{"a", "'", "x"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, " 's"), (Pieces{" '", "s"}));
}

TEST(PreTokenizer, smollm_isolates_every_number) {
  EXPECT_EQ(pieces(PreTokenizer::smollm, "a 12"), (Pieces{"a", " ", "1", "2"}));
  EXPECT_EQ(pieces(PreTokenizer::smollm, "a   1"), (Pieces{"a", "   ", "1"}));
  EXPECT_EQ(pieces(PreTokenizer::smollm, "a   b"), (Pieces{"a", "  ", " b"}));
  EXPECT_EQ(pieces(PreTokenizer::smollm, "x½Ⅷ٤"), (Pieces{"x", "½", "Ⅷ", "٤"}));
}

TEST(PreTokenizer, llama_groups_three_digits_and_qwen_one) {
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "1234567"), (Pieces{"123", "456", "7"}));
  EXPECT_EQ(pieces(PreTokenizer::qwen2, "123"), (Pieces{"1", "2", "3"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "a 1"), (Pieces{"a", " ", "1"}));
}

TEST(PreTokenizer, llama_words_take_one_character_before_them) {
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "(a)b\tc"), (Pieces{"(a", ")b", "\tc"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "\u3000の"), (Pieces{"\u3000の"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "!!a"), (Pieces{"!!", "a"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "\na"), (Pieces{"\n", "a"}));
}

TEST(PreTokenizer, llama_contractions_fold_case) {
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "IT'S"), (Pieces{"IT", "'S"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "it'\u017F"), (Pieces{"it", "'\u017F"}));
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "it'\u017F"), (Pieces{"it", "'", "\u017F"}));
  EXPECT_EQ(pieces(PreTokenizer::qwen2, "'sup"), (Pieces{"'s", "up"}));
  EXPECT_EQ(pieces(PreTokenizer::qwen2, "'lx"), (Pieces{"'lx"}));
}

TEST(PreTokenizer, llama_newlines_end_spaces_and_punctuation) {
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "a \n \n  b"), (Pieces{"a", " \n \n", " ", " b"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "a!\r\n\nb"), (Pieces{"a", "!\r\n\n", "b"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "a !b"), (Pieces{"a", " !", "b"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "a   "), (Pieces{"a", "   "}));
}

TEST(PreTokenizer, whitespace_is_the_unicode_property) {
  for (const char* space :
       {"\u0085", "\u00A0", "\u1680", "\u2003", "\u2028", "\u202F", "\u205F", "\u3000", "\v", "\f"}) {
    EXPECT_EQ(pieces(PreTokenizer::gpt2, std::string("!") + space), (Pieces{"!", space})) << space;
  }
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "!\u200B"), (Pieces{"!\u200B"}));  // zero width space has no White_Space
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "\u00A0a"), (Pieces{"\u00A0", "a"}));
}

TEST(PreTokenizer, letters_are_those_of_unicode_16) {
  EXPECT_EQ(unicode_class(0x2EBF0) & kLetter, kLetter);                             // 15.1
  EXPECT_EQ(unicode_class(0x105C0) & kLetter, kLetter);                             // 16.0
  EXPECT_EQ(unicode_class(0x0C5C) & kLetter, 0);                                    // 17.0
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a\u0301b"), (Pieces{"a", "\u0301", "b"}));  // marks are no letters
}

TEST(PreTokenizer, invalid_bytes_are_punctuation) {
  EXPECT_EQ(pieces(PreTokenizer::gpt2, "a\xFF\xFE!b"), (Pieces{"a", "\xFF\xFE!", "b"}));
  EXPECT_EQ(pieces(PreTokenizer::llama_bpe, "\xE3\x81z"), (Pieces{"\xE3\x81z"}));
}

TEST(PreTokenizer, none_takes_the_whole_text) {
  EXPECT_EQ(pieces(PreTokenizer::none, "a b\nc"), (Pieces{"a b\nc"}));
}

}  // namespace
}  // namespace stint::tokenizer
