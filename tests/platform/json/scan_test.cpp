#include "platform/json/scan.h"

#include <gtest/gtest.h>

namespace stint::json {
namespace {

TEST(PlainRun, stops_at_every_special_byte_at_every_offset) {
  for (const char special : {'"', '\\', '\n', '\0', '\x1f'}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'a') + special + std::string(20, 'b');
      EXPECT_EQ(plain_run_size(text), before);
    }
  }
}

TEST(PlainRun, passes_every_other_byte) {
  for (int byte = 0x20; byte < 0x100; ++byte) {
    if (byte == '"' || byte == '\\') continue;
    EXPECT_EQ(plain_run_size(std::string(19, static_cast<char>(byte))), 19U) << byte;
  }
}

TEST(IsAscii, sees_a_high_byte_at_every_offset) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string text(size, '\x7f');
    EXPECT_TRUE(is_ascii(text));
    for (std::size_t at = 0; at < size; ++at) {
      text[at] = '\x80';
      EXPECT_FALSE(is_ascii(text)) << at;
      text[at] = '\x7f';
    }
  }
}

TEST(ScanString, ends_behind_the_first_unescaped_quote) {
  const StringScan scan = scan_string(R"(x"a\"b\\"c")", 1);
  EXPECT_TRUE(scan.valid);
  EXPECT_TRUE(scan.escaped);
  EXPECT_EQ(scan.end, 9U);
  EXPECT_FALSE(scan_string(R"("plain")", 0).escaped);
}

TEST(ScanString, points_at_the_byte_that_breaks_it) {
  EXPECT_EQ(scan_string("\"ab\ncd\"", 0).end, 3U);
  EXPECT_EQ(scan_string("\"ab\\xcd\"", 0).end, 3U);
  EXPECT_EQ(scan_string("\"ab", 0).end, 3U);
  EXPECT_FALSE(scan_string("\"ab", 0).valid);
}

TEST(ScanNumber, takes_the_longest_number) {
  EXPECT_EQ(scan_number("12345,", 0), 5U);
  EXPECT_EQ(scan_number("-0.50e+10]", 0), 9U);
  EXPECT_EQ(scan_number("01", 0), 1U);
  EXPECT_EQ(scan_number("x", 0), 0U);
  EXPECT_EQ(scan_number("1.", 0), 0U);
  EXPECT_EQ(scan_number("1e", 0), 0U);
  EXPECT_EQ(scan_number("-", 0), 0U);
}

}  // namespace
}  // namespace stint::json
