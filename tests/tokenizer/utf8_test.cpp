#include "tokenizer/utf8.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"
#include "platform/base/utf8.h"

namespace stint::tokenizer {
namespace {

TEST(Utf8, reads_what_it_writes) {
  for (std::uint32_t code_point = 0; code_point < 0x110000; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    std::string text;
    append_utf8(code_point, text);
    const Character character = read_character(text, 0);
    ASSERT_EQ(character.code_point, code_point);
    ASSERT_EQ(character.size, text.size());
  }
}

TEST(Utf8, agrees_with_the_base_library_on_random_bytes) {
  base::Random random(3);
  const std::string_view lively = "\x80\xBF\xC2\xE0\xA0\x9F\xED\xF0\x90\xF4\x8F\xE3z";
  for (int round = 0; round < 100'000; ++round) {
    std::string text;
    for (int i = 0; i < 4; ++i) text.push_back(lively[random.below(lively.size())]);
    const Character character = read_character(text, 0);
    const std::size_t size = base::utf8_sequence_size(text);
    ASSERT_EQ(character.code_point != kInvalidCodePoint, size != 0);
    if (size != 0) ASSERT_EQ(character.size, size);
    ASSERT_EQ(is_utf8(text), base::utf8_valid_size(text) == text.size());
  }
}

TEST(Utf8, invalid_input_is_taken_by_maximal_subparts) {
  EXPECT_EQ(read_character("\xF0\x80", 0).size, 1u);
  EXPECT_EQ(read_character("\xE3\x81z", 0).size, 2u);
  EXPECT_FALSE(read_character("\xE3\x81z", 0).incomplete);
  EXPECT_TRUE(read_character("\xE3\x81", 0).incomplete);
  EXPECT_EQ(read_character("\xED\xA0\x80", 0).size, 1u);  // a surrogate
}

TEST(Utf8, finds_the_character_that_is_not_complete) {
  EXPECT_EQ(incomplete_suffix_size("a"), 0u);
  EXPECT_EQ(incomplete_suffix_size("a\xE3"), 1u);
  EXPECT_EQ(incomplete_suffix_size("a\xE3\x81"), 2u);
  EXPECT_EQ(incomplete_suffix_size("a\xE3\x81\xAE"), 0u);
  EXPECT_EQ(incomplete_suffix_size("\xF0\x9F\x98"), 3u);
  EXPECT_EQ(incomplete_suffix_size("\xFF"), 0u);
  EXPECT_EQ(incomplete_suffix_size("\x80\x80\x80\x80"), 0u);
}

}  // namespace
}  // namespace stint::tokenizer
