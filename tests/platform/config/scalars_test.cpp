#include "platform/config/scalars.h"

#include <gtest/gtest.h>

namespace stint::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::uint64_t kAny = UINT64_MAX;

TEST(ParseBoolean, only_true_and_false) {
  EXPECT_EQ(parse_boolean("true"), true);
  EXPECT_EQ(parse_boolean("false"), false);
  for (const auto text : {"on", "off", "yes", "no", "True", "TRUE", "1", "0", "", " true", "truee"}) {
    EXPECT_FALSE(parse_boolean(text)) << text;
  }
}

TEST(ParseWholeNumber, decimal_within_bounds) {
  EXPECT_EQ(parse_whole_number("0", 0, 9), 0u);
  EXPECT_EQ(parse_whole_number("9", 0, 9), 9u);
  EXPECT_EQ(parse_whole_number("18446744073709551615", 0, kAny), kAny);
  for (const auto text : {"", "10", "010", "00", "0x8", "+1", "-1", "1.0", "1e3", " 1", "1 ", "1_000", "0b1"}) {
    EXPECT_FALSE(parse_whole_number(text, 0, 9)) << text;
  }
  EXPECT_FALSE(parse_whole_number("18446744073709551616", 0, kAny));
  EXPECT_FALSE(parse_whole_number("3", 4, 9));
  EXPECT_EQ(parse_whole_number("x", 4, 9).error(), "must be a whole number from 4 to 9");
}

TEST(ParseRatio, fraction_or_percent) {
  EXPECT_DOUBLE_EQ(parse_ratio("0.25").value(), 0.25);
  EXPECT_DOUBLE_EQ(parse_ratio("25%").value(), 0.25);
  EXPECT_DOUBLE_EQ(parse_ratio("0.5%").value(), 0.005);
  EXPECT_DOUBLE_EQ(parse_ratio("1").value(), 1);
  EXPECT_DOUBLE_EQ(parse_ratio("100%").value(), 1);
  EXPECT_DOUBLE_EQ(parse_ratio("0").value(), 0);
  for (const auto text : {"", "%", "1.1", "101%", "-0.1", "nan", "inf", "1e-1", ".5", "25 %", "0,5", "0.5x"}) {
    EXPECT_FALSE(parse_ratio(text)) << text;
  }
}

TEST(ParseDuration, a_whole_number_with_its_unit) {
  const base::Duration max = hours(24 * 30);
  const auto parse = [&](std::string_view text) { return parse_duration(text, base::Duration(0), max); };
  EXPECT_EQ(parse("250ms"), milliseconds(250));
  EXPECT_EQ(parse("30s"), seconds(30));
  EXPECT_EQ(parse("5m"), minutes(5));
  EXPECT_EQ(parse("2h"), hours(2));
  EXPECT_EQ(parse("7d"), hours(24 * 7));
  EXPECT_EQ(parse("0"), seconds(0));
  EXPECT_EQ(parse("0s"), seconds(0));
  for (const auto text : {"", "30", "s", "1.5s", "-1s", "1m30s", "30 s", "30S", "01s", "31d", "1us", "1w"}) {
    EXPECT_FALSE(parse(text)) << text;
  }
}

TEST(ParseDuration, overflow_and_bounds_are_refused) {
  EXPECT_FALSE(parse_duration("18446744073709551615d", base::Duration(0), base::Duration::max()));
  EXPECT_FALSE(parse_duration("200000d", base::Duration(0), base::Duration::max())) << "more than 2^63 ns";
  EXPECT_TRUE(parse_duration("100000d", base::Duration(0), base::Duration::max()));
  const auto low = parse_duration("999ms", seconds(1), minutes(90));
  ASSERT_FALSE(low);
  EXPECT_EQ(low.error(), "must be a duration such as 250ms, 30s, 5m, 2h or 7d, from 1s to 90m");
}

TEST(ParseByteSize, powers_of_1000_and_of_1024) {
  EXPECT_EQ(parse_byte_size("0", 0, kAny), 0u);
  EXPECT_EQ(parse_byte_size("17B", 0, kAny), 17u);
  EXPECT_EQ(parse_byte_size("2kB", 0, kAny), 2000u);
  EXPECT_EQ(parse_byte_size("2KiB", 0, kAny), 2048u);
  EXPECT_EQ(parse_byte_size("256MB", 0, kAny), 256'000'000u);
  EXPECT_EQ(parse_byte_size("256MiB", 0, kAny), 268'435'456u);
  EXPECT_EQ(parse_byte_size("3GB", 0, kAny), 3'000'000'000u);
  EXPECT_EQ(parse_byte_size("3GiB", 0, kAny), 3'221'225'472u);
  for (const auto text : {"", "1", "MB", "1.5GB", "-1B", "1 MB", "1mb", "1KB", "1M", "01MB", "99999999999999GB"}) {
    EXPECT_FALSE(parse_byte_size(text, 0, kAny)) << text;
  }
  EXPECT_EQ(parse_byte_size("5MiB", 0, 4'194'304).error(),
            "must be a size such as 512KiB, 256MB or 2GiB, from 0 to 4MiB");
}

TEST(Format, the_largest_unit_that_fits_and_parses_back) {
  EXPECT_EQ(format_duration(milliseconds(1500)), "1500ms");
  EXPECT_EQ(format_duration(seconds(90)), "90s");
  EXPECT_EQ(format_duration(seconds(120)), "2m");
  EXPECT_EQ(format_duration(hours(48)), "2d");
  EXPECT_EQ(format_duration(base::Duration(0)), "0");
  EXPECT_EQ(format_byte_size(1536), "1536B");
  EXPECT_EQ(format_byte_size(8 * 1'048'576), "8MiB");
  EXPECT_EQ(format_byte_size(256'000'000), "256MB");
  for (const std::uint64_t size : {1ull, 999ull, 1000ull, 1024ull, 123'456'789ull, 5'000'000'000ull}) {
    EXPECT_EQ(parse_byte_size(format_byte_size(size), 0, kAny), size);
  }
}

}  // namespace
}  // namespace stint::config
