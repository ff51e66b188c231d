#include "platform/json/writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>

#include "platform/base/random.h"

namespace stint::json {
namespace {

std::string json_of(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

TEST(Writer, places_commas) {
  std::string out = "data: ";
  Writer writer(out);
  writer.begin_object()
      .member("a", "x")
      .key("b")
      .begin_array()
      .integer(1)
      .begin_object()
      .end_object()
      .null()
      .end_array();
  writer.key("c").boolean(true).key("d").raw(R"({"e":1})").key("f").begin_array().end_array().end_object();
  EXPECT_EQ(out, R"(data: {"a":"x","b":[1,{},null],"c":true,"d":{"e":1},"f":[]})");
}

TEST(Writer, a_container_that_follows_another_starts_fresh) {
  std::string out;
  Writer(out).begin_array().begin_array().integer(1).end_array().begin_array().integer(2).end_array().end_array();
  EXPECT_EQ(out, "[[1],[2]]");
}

TEST(Writer, escapes_what_json_must_escape) {
  EXPECT_EQ(json_of("a\"b\\c\n\r\t/"), R"("a\"b\\c\n\r\t/")");
  EXPECT_EQ(json_of(std::string_view("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(json_of("caf\xC3\xA9 \xF0\x9F\x99\x82"), "\"caf\xC3\xA9 \xF0\x9F\x99\x82\"");
}

TEST(Writer, replaces_bytes_that_are_not_utf8) {
  EXPECT_EQ(json_of("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(json_of("a\xE2\x82"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
  EXPECT_EQ(json_of("\xC3\"\xC3\xA9"), "\"\xEF\xBF\xBD\\\"\xC3\xA9\"");
}

TEST(Writer, any_bytes_make_valid_json) {
  base::Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random.below(40), '\0');
    for (char& c : text) c = static_cast<char>(random.below(4) == 0 ? random.next() : 'a' + random.below(26));
    EXPECT_TRUE(nlohmann::json::accept(json_of(text)));
  }
}

TEST(Writer, numbers_read_back_to_the_same_value) {
  base::Random random(5);
  for (int round = 0; round < 5000; ++round) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    std::string out;
    Writer(out).number(value);
    const nlohmann::json back = nlohmann::json::parse(out);
    if (std::isfinite(value)) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(back.get<float>()), std::bit_cast<std::uint32_t>(value)) << out;
    } else {
      EXPECT_TRUE(back.is_null());
    }
  }
}

TEST(Writer, writes_the_extremes_of_integers) {
  std::string out;
  Writer(out)
      .begin_array()
      .integer(std::numeric_limits<std::uint64_t>::max())
      .integer(std::numeric_limits<std::int64_t>::min())
      .number(0.1F)
      .number(0.1)
      .number(std::numeric_limits<double>::quiet_NaN())
      .end_array();
  EXPECT_EQ(out, "[18446744073709551615,-9223372036854775808,0.1,0.1,null]");
}

}  // namespace
}  // namespace stint::json
