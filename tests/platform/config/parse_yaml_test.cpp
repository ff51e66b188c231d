#include "platform/config/parse_yaml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stint::config {
namespace {

std::string error_of(std::string_view text) {
  const Result<Document> document = parse_yaml(text, "stint.yaml");
  return document ? "" : document.error().message;
}

// One line for a whole tree: kinds, texts and lines.
std::string drawn(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return fmt::format("null@{}", node.line);
    case Node::Kind::scalar:
      return fmt::format("'{}'@{}", node.text, node.line);
    case Node::Kind::list: {
      std::string out = "[";
      for (const Node& item : node.items) out += drawn(item) + " ";
      return out + "]";
    }
    case Node::Kind::map: {
      std::string out = "{";
      for (const MapEntry& entry : node.entries)
        out += fmt::format("{}@{}={} ", entry.key, entry.line, drawn(entry.value));
      return out + "}";
    }
  }
  return "?";
}

std::string tree(std::string_view text) {
  const Result<Document> document = parse_yaml(text, "stint.yaml");
  return document ? drawn(document->root) : document.error().message;
}

TEST(ParseYaml, keeps_scalars_as_written_and_counts_lines_from_one) {
  EXPECT_EQ(tree("listen:\n  addr: 127.0.0.1:4000\n  threads: 010\n  flag: on\n"),
            "{listen@1={addr@2='127.0.0.1:4000'@2 threads@3='010'@3 flag@4='on'@4 } }");
  EXPECT_EQ(tree("a: [x, 'y z', \"\\u00e9\"]\n"), "{a@1=['x'@1 'y z'@1 '\xC3\xA9'@1 ] }");
  EXPECT_EQ(tree("list:\n  - a: 1\n    b: 2\n  - a: 3\n"), "{list@1=[{a@2='1'@2 b@3='2'@3 } {a@4='3'@4 } ] }");
  EXPECT_EQ(tree("flow: { a: 1,\n  b: 2 }\n"), "{flow@1={a@1='1'@1 b@2='2'@2 } }");
}

TEST(ParseYaml, absent_values_are_null_and_quoted_ones_are_not) {
  EXPECT_EQ(tree("a:\nb: ~\nc: null\nd: ''\ne: 'null'\n"), "{a@1=null@1 b@2=null@2 c@3=null@3 d@4=''@4 e@5='null'@5 }");
}

TEST(ParseYaml, an_empty_file_is_an_empty_document) {
  for (const auto text : {"", "\n\n", "# nothing\n", "---\n", "\xEF\xBB\xBF# mark\n"}) {
    const Result<Document> document = parse_yaml(text, "f");
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(document->root.kind, Node::Kind::null);
  }
}

TEST(ParseYaml, duplicate_keys_are_refused_with_both_lines) {
  EXPECT_EQ(error_of("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n"),
            "stint.yaml:5: b.c is given twice, first on line 3: keep one of them");
  EXPECT_EQ(error_of("a: 1\n\"a\": 2\n"), "stint.yaml:2: a is given twice, first on line 1: keep one of them");
  EXPECT_EQ(error_of("l:\n - x: 1\n - {y: 1, y: 1}\n"),
            "stint.yaml:3: l[1].y is given twice, first on line 3: keep one of them");
  EXPECT_EQ(error_of("a: {x: 1}\nb: {x: 1}\n"), "");
}

TEST(ParseYaml, anchors_aliases_and_tags_are_refused) {
  EXPECT_EQ(error_of("a: &x 1\n"),
            "stint.yaml:1: a has an anchor: anchors and aliases are not supported, repeat the value");
  EXPECT_NE(error_of("a: &x [1]\nb: *x\n"), "");
  EXPECT_NE(error_of("a: &x {b: 1}\n"), "");
  EXPECT_NE(error_of("a: &x\n"), "");
  EXPECT_EQ(error_of("a: !!binary aGk=\n"), "stint.yaml:1: a has a YAML tag: tags are not supported, remove it");
  EXPECT_NE(error_of("a: !secret [x]\n"), "");
}

TEST(ParseYaml, a_bomb_of_aliases_is_refused_at_its_first_anchor) {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  EXPECT_NE(error_of(text).find("stint.yaml:1: a0 has an anchor"), std::string::npos);
}

TEST(ParseYaml, keys_are_plain_words) {
  EXPECT_NE(error_of("[a, b]: 1\n"), "");
  EXPECT_NE(error_of("{a: 1}: 1\n"), "");
  EXPECT_NE(error_of("? \n: 1\n"), "");
  EXPECT_EQ(error_of(std::string(kKeySizeMax + 1, 'k') + ": 1\n"),
            "stint.yaml:1: the file has a key of more than 256 bytes: shorten it");
  EXPECT_EQ(error_of("a:\n  \"x\\e[31m\": 1\n"), "stint.yaml:2: a has a control character in a key: remove it");
  EXPECT_EQ(error_of("a: \"x\\0y\"\n"), "stint.yaml:1: a holds a NUL character: remove it");
}

TEST(ParseYaml, the_root_is_a_map_and_the_only_document) {
  EXPECT_EQ(error_of("- a\n"), "stint.yaml:1: the file must hold sections, each as `name:` followed by its settings");
  EXPECT_NE(error_of("just text\n"), "");
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n"),
            "stint.yaml:3: the file holds a second document: keep everything before the line `---`");
}

TEST(ParseYaml, syntax_errors_name_the_line) {
  EXPECT_TRUE(error_of("a: 1\nb: [1, 2\n").starts_with("stint.yaml:")) << error_of("a: 1\nb: [1, 2\n");
  EXPECT_TRUE(error_of("a: 1\n\tb: 2\n").starts_with("stint.yaml:2: is not valid YAML:")) << error_of("a: 1\n\tb: 2\n");
  EXPECT_TRUE(error_of("a: {x: ${VAR}}\n").starts_with("stint.yaml:1: ")) << "unquoted ${} inside a flow map";
}

TEST(ParseYaml, bytes_that_are_not_utf8_are_refused) {
  EXPECT_EQ(error_of("a: 1\nb: \xFF\n"), "stint.yaml:2: the file is not UTF-8 text: save it as UTF-8");
  EXPECT_NE(error_of(std::string_view("a: \0\n", 5)), "");
  EXPECT_NE(error_of(std::string_view("a\0:\0 \0", 6)), "") << "UTF-16";
}

TEST(ParseYaml, depth_is_bounded) {
  const auto nested = [](std::size_t depth) {
    return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n";
  };
  EXPECT_EQ(error_of(nested(kDepthMax - 1)), "");
  EXPECT_NE(error_of(nested(kDepthMax)).find("is nested more than 32 levels deep"), std::string::npos);
  EXPECT_NE(error_of("a: " + std::string(400'000, '[')), "");
  EXPECT_NE(error_of("a: " + std::string(400'000, '{')), "");
  EXPECT_NE(error_of(std::string(2000, '-')), "");
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  EXPECT_NE(error_of(dashes), "");
}

TEST(ParseYaml, size_and_count_are_bounded) {
  const Result<Document> large = parse_yaml(std::string(kFileSizeMax + 1, '#'), "stint.yaml");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::too_large);
  std::string many = "a:\n";
  for (std::size_t i = 0; i < kNodeCountMax + 1; ++i) many += " - x\n";
  EXPECT_NE(error_of(many).find("too many"), std::string::npos);
}

}  // namespace
}  // namespace stint::config
