#include "engine/template/json_text.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/template/limits.h"

namespace stint::chat_template {
namespace {

std::string round_trip(std::string_view json, const JsonStyle& style = {}) {
  Arena arena(kMadeSizeMax);
  TextBuilder out;
  append_json(out, parse_json(json, arena), style, arena);
  return out.take_bytes();
}

TEST(JsonText, reads_and_writes_every_kind) {
  const std::string_view json = R"({"a": [1, -2.5, true, false, null], "é": "x\"\\\n", "e": {}, "l": []})";
  EXPECT_EQ(round_trip(json), json);
  EXPECT_EQ(round_trip(R"("\u00e9\ud83d\udc4b\ud83d\/")"), "\"é👋\xef\xbf\xbd/\"");
  EXPECT_EQ(round_trip("1e3"), "1000.0");
  EXPECT_EQ(round_trip(R"("é👋")", {.ascii_only = true}), R"("\u00e9\ud83d\udc4b")");
}

TEST(JsonText, refuses_what_is_no_json) {
  Arena arena(kMadeSizeMax);
  for (const std::string_view json : {"", "{", "[1", "[1,]", "{\"a\"}", "{a: 1}", "\"x", "\"\\q\"", "\"\\u12\"", "tru",
                                      "1 2", "nul", "-", "\"\\", "[\"\\ud83d\\u\"]"}) {
    EXPECT_THROW(parse_json(json, arena), TemplateError) << json;
  }
  EXPECT_THROW(parse_json(std::string(10'000, '['), arena), TemplateError);
}

TEST(JsonText, strings_are_untrusted) {
  Arena arena(kMadeSizeMax);
  EXPECT_FALSE(parse_json("\"x\"", arena).text->trusted);
  EXPECT_FALSE(parse_json("\"\\n\"", arena).text->trusted);
}

TEST(JsonText, many_keys_take_linear_time) {
  std::string json = "{";
  for (int i = 0; i < 50'000; ++i) json += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
  json += "}";
  Arena arena(kMadeSizeMax);
  const Value value = parse_json(json, arena);
  EXPECT_EQ(value.dict->find("k49999")->integer, 49'999);
}

}  // namespace
}  // namespace stint::chat_template
