// Hostile templates end soon, with an error.
#include "engine/template/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/template/chat_template.h"
#include "tests/fakes/template_source.h"

namespace stint::chat_template {
namespace {

using ::testing::HasSubstr;

// A twentieth of the real limits, to be quick.
std::string error_of(const std::string& source) {
  return fakes::render_source(source, "{}", kMadeSizeMax / 20, kStepCountMax / 20).error;
}

std::string repeat(std::string_view part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

TEST(Limits, endless_work_is_stopped) {
  EXPECT_NE(error_of("{% for a in range(100000000000) %}{% endfor %}"), "");
  EXPECT_THAT(error_of("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"),
              ::testing::ContainsRegex("too many steps|too much text"));
}

TEST(Limits, growing_text_is_stopped) {
  EXPECT_THAT(error_of("{{ 'a' * 10000000000 }}"), HasSubstr("too much text"));
  EXPECT_THAT(
      error_of("{% set ns = namespace(x='ab') %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"),
      HasSubstr("too much text"));
  EXPECT_THAT(error_of("{% for i in range(100000) %}{{ 'abcdefgh' * 1000 }}{% endfor %}"), HasSubstr("too much text"));
  EXPECT_THAT(error_of("{{ 'ab' | replace('', 'x' * 100000000) }}"), HasSubstr("too much text"));
  EXPECT_THAT(error_of("{% set l = ['a' * 1000000] * 1000 %}{{ l }}"), HasSubstr("too much text"));
}

TEST(Limits, endless_recursion_is_stopped) {
  EXPECT_THAT(error_of("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), HasSubstr("too deeply"));
  EXPECT_THAT(
      error_of(
          "{% macro a() %}{% call b() %}{% endcall %}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}"),
      HasSubstr("too deeply"));
}

TEST(Limits, deep_nesting_in_the_source_is_refused) {
  EXPECT_THAT(error_of("{{ " + repeat("(", 5000) + "1" + repeat(")", 5000) + " }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ " + repeat("-", 5000) + "1 }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ " + repeat("not ", 5000) + "1 }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ 1" + repeat(" + 1", 5000) + " }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ a" + repeat(".b", 5000) + " }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ a" + repeat(" | trim", 5000) + " }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of(repeat("{% if 1 %}", 5000) + repeat("{% endif %}", 5000)), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{{ 1" + repeat(" if 1 else 1", 5000) + " }}"), HasSubstr("too deeply"));
}

TEST(Limits, long_flat_sources_are_fine) {
  EXPECT_EQ(error_of("{{ 1" + repeat(" ~ 1", 5000) + " }}"), "");
  EXPECT_EQ(error_of("{% if 0 %}" + repeat("{% elif 0 %}", 5000) + "{% endif %}"), "");
}

TEST(Limits, values_that_hold_themselves_are_neither_printed_nor_compared_forever) {
  const std::string knot = "{% set a = [] %}{% set b = [a] %}{% set x = a.append(b) %}";
  EXPECT_THAT(error_of(knot + "{{ a }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of(knot + "{{ a | tojson }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of(knot + "{{ a == [b] }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of(knot + "{{ a < [b] }}"), HasSubstr("too deeply"));
}

TEST(Limits, shared_values_do_not_make_printing_exponential) {
  const std::string shared =
      "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}";
  EXPECT_NE(error_of(shared + "{{ ns.l }}"), "");
  EXPECT_NE(error_of(shared + "{{ ns.l == ns.l + [] }}"), "");
}

TEST(Limits, integers_do_not_wrap) {
  EXPECT_THAT(error_of("{{ 9223372036854775807 + 1 }}"), HasSubstr("out of range"));
  EXPECT_THAT(error_of("{{ 2 ** 64 }}"), HasSubstr("out of range"));
  EXPECT_THAT(error_of("{{ 99999999999999999999 }}"), HasSubstr("out of range"));
  EXPECT_THAT(error_of("{{ (-9223372036854775807 - 1) // -1 }}"), HasSubstr("out of range"));
  EXPECT_THAT(error_of("{{ -(-9223372036854775807 - 1) }}"), HasSubstr("out of range"));
  EXPECT_EQ(
      error_of(
          "{{ (-9223372036854775807 - 1) % -1 }}{{ 'abc'[9223372036854775807:] }}{{ [1][::-9223372036854775807] }}"),
      "");
}

TEST(Limits, sorting_what_has_no_order_is_safe) {
  EXPECT_EQ(error_of("{% set nan = 1e308 * 10 - 1e308 * 10 %}{{ ([nan, 3, 1, nan, 2] * 50) | sort | length }}"), "");
}

TEST(Limits, large_sources_are_refused) {
  const auto parsed = ChatTemplate::parse(std::string(kTemplateSizeMax + 1, 'x'));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, ErrorKind::too_large);
}

}  // namespace
}  // namespace stint::chat_template
