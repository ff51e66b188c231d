#include "platform/config/substitution.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/config/parse_yaml.h"
#include "tests/fakes/fake_environment.h"

namespace stint::config {
namespace {

class SubstitutionTest : public testing::Test {
 protected:
  // The value of `a` after substitution; problems are kept.
  std::string value(const std::string& text) {
    Document document = parse_yaml(fmt::format("a: '{}'\n", text), "stint.yaml").value();
    substitute(document, environment_);
    problems_ = document.problems;
    const Node& node = document.root.entries.at(0).value;
    is_substituted_ = node.is_substituted;
    return node.text;
  }
  std::string problem() const { return problems_.empty() ? "" : problems_.front().message; }

  fakes::FakeEnvironment environment_{};
  std::vector<Problem> problems_;
  bool is_substituted_ = false;
};

TEST_F(SubstitutionTest, variables) {
  environment_.variables = {{"HOST", "example.org"}, {"EMPTY", ""}, {"_X9", "nine"}};
  EXPECT_EQ(value("${HOST}"), "example.org");
  EXPECT_TRUE(is_substituted_);
  EXPECT_EQ(value("https://${HOST}/${_X9}!"), "https://example.org/nine!");
  EXPECT_EQ(value("${EMPTY}"), "");
  EXPECT_EQ(problem(), "");
}

TEST_F(SubstitutionTest, an_unset_variable_is_an_error_that_names_the_way_out) {
  EXPECT_EQ(value("x${KEY}"), "");
  EXPECT_EQ(problem(),
            "a needs the environment variable KEY, which is not set: set it, or write ${KEY:-default} to do without");
}

TEST_F(SubstitutionTest, defaults_serve_unset_and_empty_variables) {
  environment_.variables = {{"SET", "set"}, {"EMPTY", ""}};
  EXPECT_EQ(value("${SET:-other}"), "set");
  EXPECT_EQ(value("${EMPTY:-other}"), "other");
  EXPECT_EQ(value("${UNSET:-}"), "");
  EXPECT_EQ(value("${UNSET:-redis://h:6379/0}"), "redis://h:6379/0");
  EXPECT_EQ(value("${UNSET:-$$a${B}"), "$$a${B") << "a default is literal up to the first }";
  EXPECT_EQ(problem(), "");
}

TEST_F(SubstitutionTest, files_lose_their_last_line_break) {
  environment_.files = {{"/run/secret", "s3cret\n"}, {"/dos", "x\r\n"}, {"/two", "a\nb\n\n"}, {"/empty", ""}};
  EXPECT_EQ(value("${file:/run/secret}"), "s3cret");
  EXPECT_EQ(value("${file:/dos}"), "x");
  EXPECT_EQ(value("${file:/two}"), "a\nb\n");
  EXPECT_EQ(value("${file:/empty}"), "");
  EXPECT_EQ(problem(), "");
}

TEST_F(SubstitutionTest, files_that_cannot_be_used_are_errors) {
  environment_.files = {{"/large", std::string(kSubstitutedFileSizeMax + 1, 'x')},
                        {"/binary", "\xFF\xFE"},
                        {"/nul", std::string("a\0b", 3)}};
  (void)value("${file:/none}");
  EXPECT_EQ(problem(), "a cannot be filled in: /none: the file cannot be read (no such file)");
  (void)value("${file:/large}");
  EXPECT_NE(problem(), "");
  (void)value("${file:/binary}");
  EXPECT_EQ(problem(), "a is filled in with something that is not UTF-8 text");
  (void)value("${file:/nul}");
  EXPECT_NE(problem(), "");
}

TEST_F(SubstitutionTest, dollars_are_escaped_by_doubling_and_else_stand_for_themselves) {
  environment_.variables = {{"V", "v"}};
  EXPECT_EQ(value("$$"), "$");
  EXPECT_EQ(value("$${V}"), "${V}");
  EXPECT_FALSE(is_substituted_);
  EXPECT_EQ(value("$$${V}"), "$v");
  EXPECT_EQ(value("pa$word$"), "pa$word$");
  EXPECT_EQ(value("$V"), "$V");
}

TEST_F(SubstitutionTest, what_was_put_in_is_not_looked_at_again) {
  environment_.variables = {{"A", "${B} $$"}, {"B", "b"}};
  EXPECT_EQ(value("${A}"), "${B} $$");
}

TEST_F(SubstitutionTest, malformed_references_are_errors) {
  for (const auto text : {"${", "${}", "${1A}", "${A-b}", "${A B}", "${:-x}", "${A", "x${sk-ant-secret}"}) {
    (void)value(text);
    EXPECT_NE(problem(), "") << text;
    EXPECT_EQ(problem().find("sk-ant"), std::string::npos) << "a mistyped secret is not echoed";
  }
}

TEST_F(SubstitutionTest, structure_cannot_be_smuggled_in_and_keys_are_left_alone) {
  environment_.variables = {{"V", "x\nadmin: 1"}};
  Document document = parse_yaml("l:\n - ${V}\n${V}: 1\n", "f").value();
  substitute(document, environment_);
  ASSERT_EQ(document.root.entries.size(), 2u);
  EXPECT_EQ(document.root.entries[0].value.items.at(0).text, "x\nadmin: 1");
  EXPECT_EQ(document.root.entries[1].key, "${V}");
}

TEST_F(SubstitutionTest, every_failure_is_told_with_its_line_and_path) {
  Document document = parse_yaml("a:\n  b: ${X}\nc:\n  - ok\n  - ${Y}\n", "f").value();
  substitute(document, environment_);
  ASSERT_EQ(document.problems.size(), 2u);
  EXPECT_EQ(document.problems[0].line, 2u);
  EXPECT_TRUE(document.problems[0].message.starts_with("a.b needs")) << document.problems[0].message;
  EXPECT_EQ(document.problems[1].line, 5u);
  EXPECT_TRUE(document.problems[1].message.starts_with("c[1] needs")) << document.problems[1].message;
}

TEST_F(SubstitutionTest, growth_is_bounded) {
  environment_.files = {{"/f", std::string(kSubstitutedFileSizeMax, 'x')}};
  std::string text;
  for (int i = 0; i < 200; ++i) text += "${file:/f}";
  EXPECT_EQ(value(text), "");
  EXPECT_EQ(problem(), "a would make the substituted values too large");
}

}  // namespace
}  // namespace stint::config
