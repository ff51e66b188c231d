#include "serve/api/field_reader.h"

#include <gtest/gtest.h>

#include "platform/json/document.h"

namespace stint::api {
namespace {

class FieldReaderTest : public ::testing::Test {
 protected:
  // The only child of the array `text`.
  json::Value only(std::string_view text) {
    document_ = *json::Document::parse(text);
    return *document_.root().array()->begin();
  }

  chat::TextArena arena_;
  FieldReader reader_{arena_};
  json::Document document_ = *json::Document::parse("0");
};

TEST_F(FieldReaderTest, absent_and_null_leave_the_target) {
  std::optional<float> number = 0.5F;
  reader_.number(json::Value(), 0, 1, number);
  reader_.number(only("[null]"), 0, 1, number);
  EXPECT_EQ(number, 0.5F);
  EXPECT_FALSE(reader_.failed());
}

TEST_F(FieldReaderTest, the_first_error_stays_and_stops_the_rest) {
  std::uint32_t count = 7;
  bool flag = false;
  reader_.integer(only("[21]"), 0, 20, count);
  reader_.boolean(only("[true]"), flag);
  EXPECT_EQ(reader_.error().message, "0: must be an integer from 0 to 20.");
  EXPECT_EQ(count, 7U);
  EXPECT_FALSE(flag);
}

TEST_F(FieldReaderTest, seeds_may_be_negative_or_fill_64_bits) {
  std::optional<std::uint64_t> seed;
  reader_.seed(only("[-1]"), seed);
  EXPECT_EQ(seed, 18446744073709551615U);
  reader_.seed(only("[18446744073709551615]"), seed);
  EXPECT_EQ(seed, 18446744073709551615U);
  reader_.seed(only("[1.5]"), seed);
  EXPECT_TRUE(reader_.failed());
}

TEST_F(FieldReaderTest, one_stop_string_only_where_allowed) {
  std::vector<std::string_view> stops;
  reader_.stop_strings(only(R"(["x"])"), true, stops);
  EXPECT_EQ(stops, (std::vector<std::string_view>{"x"}));
  reader_.stop_strings(only(R"(["x"])"), false, stops);
  EXPECT_EQ(reader_.error().message, "0: expected an array, got a string.");
}

TEST_F(FieldReaderTest, stop_strings_are_bounded_in_number_and_size) {
  std::vector<std::string_view> stops;
  std::string many = "[[";
  for (int i = 0; i < 33; ++i) many += "\"x\",";
  many.back() = ']';
  reader_.stop_strings(only(many + "]"), true, stops);
  EXPECT_EQ(reader_.error().message, "0: holds more than 32 strings; send fewer.");
  FieldReader other(arena_);
  const std::string long_one = "[\"" + std::string(1025, 'x') + "\"]";
  other.stop_strings(only(long_one), true, stops);
  EXPECT_EQ(other.error().message, "0: must be a string of 1 to 1024 bytes.");
}

}  // namespace
}  // namespace stint::api
