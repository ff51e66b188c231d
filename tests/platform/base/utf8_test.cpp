#include "platform/base/utf8.h"

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Utf8, sizes_of_well_formed_sequences) {
  EXPECT_EQ(utf8_sequence_size("a"), 1u);
  EXPECT_EQ(utf8_sequence_size("\xC3\xA9"), 2u);
  EXPECT_EQ(utf8_sequence_size("\xE2\x82\xAC!"), 3u);
  EXPECT_EQ(utf8_sequence_size("\xF0\x9F\x98\x80"), 4u);
  EXPECT_EQ(utf8_sequence_size(std::string_view("\0", 1)), 1u);
}

TEST(Utf8, refuses_malformed_sequences) {
  EXPECT_EQ(utf8_sequence_size(""), 0u);
  EXPECT_EQ(utf8_sequence_size("\x80"), 0u) << "stray continuation";
  EXPECT_EQ(utf8_sequence_size("\xC0\xAF"), 0u) << "overlong, 2 bytes";
  EXPECT_EQ(utf8_sequence_size("\xE0\x80\xAF"), 0u) << "overlong, 3 bytes";
  EXPECT_EQ(utf8_sequence_size("\xF0\x80\x80\xAF"), 0u) << "overlong, 4 bytes";
  EXPECT_EQ(utf8_sequence_size("\xED\xA0\x80"), 0u) << "surrogate";
  EXPECT_EQ(utf8_sequence_size("\xF4\x90\x80\x80"), 0u) << "above U+10FFFF";
  EXPECT_EQ(utf8_sequence_size("\xE2\x82"), 0u) << "cut short";
  EXPECT_EQ(utf8_sequence_size("\xE2\x82z"), 0u) << "wrong third byte";
  EXPECT_EQ(utf8_sequence_size("\xFF"), 0u);
}

TEST(Utf8, every_code_point_is_accepted_and_no_surrogate) {
  for (std::uint32_t c = 0x800; c < 0x10000; ++c) {
    const std::array<char, 3> bytes{static_cast<char>(0xE0u | (c >> 12)), static_cast<char>(0x80u | ((c >> 6) & 0x3Fu)),
                                    static_cast<char>(0x80u | (c & 0x3Fu))};
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    ASSERT_EQ(utf8_sequence_size({bytes.data(), 3}), surrogate ? 0u : 3u) << c;
  }
}

TEST(Utf8, valid_size_is_the_offset_of_the_first_bad_byte) {
  EXPECT_EQ(utf8_valid_size("h\xC3\xA9llo"), 6u);
  EXPECT_EQ(utf8_valid_size("h\xC3\xA9\xFFo"), 3u);
  EXPECT_EQ(utf8_valid_size(""), 0u);
}

}  // namespace
}  // namespace stint::base
