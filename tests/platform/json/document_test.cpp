#include "platform/json/document.h"

#include <gtest/gtest.h>

#include "platform/base/limits.h"

namespace stint::json {
namespace {

bool accepts(std::string_view text) {
  return Document::parse(text).has_value();
}

std::string error_of(std::string_view text) {
  const auto document = Document::parse(text);
  return document ? "" : document.error().message;
}

TEST(Document, accepts_every_kind_at_the_root) {
  for (const std::string_view text : {"null", "true", "false", "0", "-0", "1e9", "-12.50E-3", "\"\"", "[]", "{}",
                                      " [ ] ", "\t{ \"a\" : [ 1 , { } ] }\r\n", "\"\\u00e9\\n\"", "\"\xC3\xA9\""}) {
    EXPECT_TRUE(accepts(text)) << text;
  }
}

TEST(Document, refuses_what_the_grammar_does_not_know) {
  for (const std::string_view text : {"",          " ",          "tru",
                                      "nul",       "truee",      "01",
                                      "+1",        "-",          "1.",
                                      ".5",        "1e",         "1e+",
                                      "NaN",       "Infinity",   "'a'",
                                      "\"a",       "\"\\x\"",    "\"\\u12g4\"",
                                      "\"\\u12\"", "\"\\",       "\"\n\"",
                                      "[",         "]",          "[1,]",
                                      "[,1]",      "[1 2]",      "[}",
                                      "{]",        "{",          "{\"a\"}",
                                      "{\"a\":}",  "{\"a\":1,}", "{a:1}",
                                      "{1:1}",     "{\"a\" 1}",  "[] []",
                                      "1 2",       "/**/1",      "\xEF\xBB\xBF{}",
                                      "[1]x"}) {
    EXPECT_FALSE(accepts(text)) << text;
  }
}

TEST(Document, checks_parts_that_nobody_reads) {
  EXPECT_FALSE(accepts(R"({"model":"m","tools":[tru]})"));
  EXPECT_FALSE(accepts(R"({"model":"m","tools":[}})"));
}

TEST(Document, refuses_bytes_that_are_not_utf8) {
  EXPECT_FALSE(accepts("\"\xFF\""));
  EXPECT_FALSE(accepts("\"\xED\xA0\x80\""));
  EXPECT_FALSE(accepts("\"\xC3\""));
}

TEST(Document, says_where_and_what_was_expected) {
  EXPECT_EQ(error_of("[1 2]"),
            "The JSON text is not valid: expected a comma or the end of the array, but something else is at byte 3.");
  EXPECT_EQ(error_of(R"({"a")"), "The JSON text is not valid: expected a colon, but the text ends.");
  EXPECT_EQ(error_of("\"a\\q\""),
            "The JSON text is not valid: expected an escape sequence, but something else is at byte 2.");
}

TEST(Document, spans_exclude_blanks) {
  const std::string_view text = R"( { "a" : 12 , "b" : [ 1 ] } )";
  const auto document = Document::parse(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root().raw(), R"({ "a" : 12 , "b" : [ 1 ] })");
  std::vector<std::string_view> seen;
  for (const Member member : *document->root().object()) {
    seen.push_back(member.key.raw());
    seen.push_back(member.value.raw());
  }
  EXPECT_EQ(seen, (std::vector<std::string_view>{R"("a")", "12", R"("b")", "[ 1 ]"}));
}

TEST(Document, bounds_depth) {
  const std::size_t depth = base::kJsonDepthMax;
  EXPECT_TRUE(accepts(std::string(depth, '[') + std::string(depth, ']')));
  EXPECT_FALSE(accepts(std::string(depth + 1, '[') + std::string(depth + 1, ']')));
  EXPECT_FALSE(accepts(std::string(10'000'000, '[')));
}

TEST(Document, bounds_the_number_of_values) {
  std::string text = "[0";
  for (std::size_t i = 2; i < base::kJsonNodeCountMax; ++i) text += ",0";
  EXPECT_TRUE(accepts(text + "]"));
  const auto document = Document::parse(text + ",0]");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().kind, ErrorKind::too_large);
}

TEST(Document, may_be_moved_under_its_values) {
  auto document = Document::parse(R"({"a":[1,2]})");
  ASSERT_TRUE(document);
  const Value root = document->root();
  const Document moved = std::move(*document);
  EXPECT_EQ((*(*root.object()).begin()).value.raw(), "[1,2]");
  EXPECT_EQ(moved.root().raw(), R"({"a":[1,2]})");
}

}  // namespace
}  // namespace stint::json
