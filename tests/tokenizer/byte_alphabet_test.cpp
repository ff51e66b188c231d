#include "tokenizer/byte_alphabet.h"

#include <gtest/gtest.h>

#include <set>

namespace stint::tokenizer {
namespace {

TEST(ByteAlphabet, spells_space_and_newline_as_gpt2_does) {
  EXPECT_EQ(alphabet_of_bytes(" a\n"), "ĠaĊ");
  EXPECT_EQ(alphabet_of_bytes("é"), "Ã©");
  EXPECT_EQ(alphabet_of_bytes(std::string_view("\0", 1)), "Ā");
}

TEST(ByteAlphabet, every_byte_has_its_own_spelling_and_comes_back) {
  std::set<std::string> spellings;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    spellings.insert(alphabet_of_bytes(text));
    EXPECT_EQ(bytes_of_alphabet(alphabet_of_bytes(text)), text);
  }
  EXPECT_EQ(spellings.size(), 256u);
}

TEST(ByteAlphabet, other_characters_are_not_of_the_alphabet) {
  for (const char* text : {" ", "a b", "日", "\u0144", "\xFF", "\u00AD"})
    EXPECT_EQ(bytes_of_alphabet(text), std::nullopt) << text;
}

}  // namespace
}  // namespace stint::tokenizer
