#include "engine/template/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "engine/template/code_point.h"
#include "engine/template/limits.h"

namespace stint::chat_template {
namespace {

constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<", "<=", ">", ">="};

// Digits of a \x, \u or \U escape; 0 for other letters.
std::size_t escape_digits(char letter) {
  if (letter == 'x') return 2;
  if (letter == 'u') return 4;
  return letter == 'U' ? 8 : 0;
}

}  // namespace

ExpressionParser::Nested::Nested(ExpressionParser& parser) : parser_(parser) {
  if (parser_.nesting_ >= kNestingMax) parser_.fail("the template is nested too deeply");
  ++parser_.nesting_;
}

void ExpressionParser::fail(std::string_view what) const {
  throw TemplateError(fmt::format("line {}: {}", current().line, what));
}

bool ExpressionParser::at_symbol(std::string_view symbol) const {
  return current().kind == Token::Kind::symbol && current().text == symbol;
}

bool ExpressionParser::at_name(std::string_view name) const {
  return current().kind == Token::Kind::name && current().text == name;
}

bool ExpressionParser::accept_symbol(std::string_view symbol) {
  if (!at_symbol(symbol)) return false;
  advance();
  return true;
}

bool ExpressionParser::accept_name(std::string_view name) {
  if (!at_name(name)) return false;
  advance();
  return true;
}

void ExpressionParser::expect_symbol(std::string_view symbol) {
  if (!accept_symbol(symbol)) fail(fmt::format("expected '{}', found '{}'", symbol, current().text));
}

void ExpressionParser::expect_name(std::string_view name) {
  if (!accept_name(name)) fail(fmt::format("expected '{}', found '{}'", name, current().text));
}

std::string_view ExpressionParser::take_name(std::string_view what) {
  if (current().kind != Token::Kind::name) fail(fmt::format("expected {}, found '{}'", what, current().text));
  const std::string_view name = current().text;
  advance();
  return name;
}

ExpressionPointer ExpressionParser::make(Expression::Kind kind,
                                         std::initializer_list<ExpressionPointer*> operands) const {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->line = current().line;
  for (ExpressionPointer* operand : operands) adopt(*expression, std::move(*operand));
  return expression;
}

void ExpressionParser::adopt(Expression& parent, ExpressionPointer operand) const {
  if (operand) parent.height = std::max(parent.height, operand->height + 1);
  if (parent.height > kNestingMax) fail("an expression is nested too deeply");
  parent.operands.push_back(std::move(operand));
}

ExpressionPointer ExpressionParser::binary(ExpressionPointer left, std::string_view symbol,
                                           ExpressionPointer right) const {
  auto expression = make(Expression::Kind::binary, {&left, &right});
  expression->name = symbol;
  return expression;
}

ExpressionPointer ExpressionParser::parse_tuple(bool with_condition) {
  auto first = parse_expression(with_condition);
  if (!at_symbol(",")) return first;
  auto tuple = make(Expression::Kind::tuple, {&first});
  while (accept_symbol(",")) {
    const bool ends = current().kind == Token::Kind::block_end || current().kind == Token::Kind::variable_end ||
                      at_symbol(")") || at_symbol("]") || at_symbol("}");
    if (ends) break;
    adopt(*tuple, parse_expression(with_condition));
  }
  return tuple;
}

ExpressionPointer ExpressionParser::parse_expression(bool with_condition) {
  const Nested nested(*this);
  auto value = parse_or();
  while (with_condition && accept_name("if")) {
    auto condition = parse_or();
    ExpressionPointer otherwise;
    if (accept_name("else")) otherwise = parse_expression();
    value = make(Expression::Kind::conditional, {&value, &condition, &otherwise});
  }
  return value;
}

ExpressionPointer ExpressionParser::parse_or() {
  auto left = parse_and();
  while (accept_name("or")) {
    auto right = parse_and();
    left = make(Expression::Kind::logical_or, {&left, &right});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_and() {
  auto left = parse_not();
  while (accept_name("and")) {
    auto right = parse_not();
    left = make(Expression::Kind::logical_and, {&left, &right});
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_not() {
  if (!at_name("not")) return parse_compare();
  const Nested nested(*this);
  advance();
  auto operand = parse_not();
  auto expression = make(Expression::Kind::unary, {&operand});
  expression->name = "not";
  return expression;
}

ExpressionPointer ExpressionParser::parse_compare() {
  auto first = parse_sum();
  ExpressionPointer compare;
  for (;;) {
    std::string_view symbol;
    if (current().kind == Token::Kind::symbol &&
        std::ranges::find(kComparisons, current().text) != kComparisons.end()) {
      symbol = current().text;
    } else if (at_name("in")) {
      symbol = "in";
    } else if (at_name("not") && next().kind == Token::Kind::name && next().text == "in") {
      symbol = "not in";
      advance();
    } else {
      return compare ? std::move(compare) : std::move(first);
    }
    advance();
    if (!compare) compare = make(Expression::Kind::compare, {&first});
    compare->symbols.push_back(symbol);
    adopt(*compare, parse_sum());
  }
}

ExpressionPointer ExpressionParser::parse_sum() {
  auto left = parse_concatenation();
  while (at_symbol("+") || at_symbol("-")) {
    const std::string_view symbol = current().text;
    advance();
    left = binary(std::move(left), symbol, parse_concatenation());
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_concatenation() {
  auto first = parse_product();
  if (!at_symbol("~")) return first;
  auto concatenation = make(Expression::Kind::concatenate, {&first});
  while (accept_symbol("~")) adopt(*concatenation, parse_product());
  return concatenation;
}

ExpressionPointer ExpressionParser::parse_product() {
  auto left = parse_power();
  while (at_symbol("*") || at_symbol("/") || at_symbol("//") || at_symbol("%")) {
    const std::string_view symbol = current().text;
    advance();
    left = binary(std::move(left), symbol, parse_power());
  }
  return left;
}

ExpressionPointer ExpressionParser::parse_power() {
  auto left = parse_unary();
  while (accept_symbol("**")) left = binary(std::move(left), "**", parse_unary());
  return left;
}

ExpressionPointer ExpressionParser::parse_unary(bool with_filters) {
  ExpressionPointer value;
  if (at_symbol("-") || at_symbol("+")) {
    const Nested nested(*this);
    const std::string_view symbol = current().text;
    advance();
    auto operand = parse_unary(false);
    value = make(Expression::Kind::unary, {&operand});
    value->name = symbol;
  } else {
    value = parse_primary();
  }
  value = parse_postfix(std::move(value));
  return with_filters ? parse_filters(std::move(value)) : std::move(value);
}

ExpressionPointer ExpressionParser::parse_primary() {
  switch (current().kind) {
    case Token::Kind::name:
      return parse_name();
    case Token::Kind::integer:
    case Token::Kind::real:
      return parse_number();
    case Token::Kind::string:
      return parse_string();
    case Token::Kind::symbol:
      return parse_brackets();
    default:
      fail("an expression ends too early");
  }
}

ExpressionPointer ExpressionParser::parse_name() {
  const std::string_view name = current().text;
  auto expression = make(Expression::Kind::constant);
  if (name == "true" || name == "True") {
    expression->value = Value::of(true);
  } else if (name == "false" || name == "False") {
    expression->value = Value::of(false);
  } else if (name == "none" || name == "None") {
    expression->value = Value::none();
  } else {
    expression->kind = Expression::Kind::name;
    expression->name = name;
  }
  advance();
  return expression;
}

ExpressionPointer ExpressionParser::parse_number() {
  auto expression = make(Expression::Kind::constant);
  std::string digits;
  std::ranges::copy_if(current().text, std::back_inserter(digits), [](char c) { return c != '_'; });
  const char* end = digits.data() + digits.size();
  std::from_chars_result parsed{};
  if (current().kind == Token::Kind::integer) {
    std::int64_t value = 0;
    parsed = std::from_chars(digits.data(), end, value);
    expression->value = Value::of(value);
  } else {
    double value = 0;
    parsed = std::from_chars(digits.data(), end, value);
    expression->value = Value::of(value);
  }
  if (parsed.ec != std::errc{} || parsed.ptr != end) fail(fmt::format("the number {} is out of range", digits));
  advance();
  return expression;
}

ExpressionPointer ExpressionParser::parse_string() {
  auto expression = make(Expression::Kind::constant);
  std::string text;
  for (; current().kind == Token::Kind::string; advance()) text += unescape(current().text);
  Text& stored = syntax_.texts.emplace_back();
  stored.bytes = syntax_.strings.emplace_back(std::move(text));
  expression->value = Value::of(&stored);
  return expression;
}

std::string ExpressionParser::unescape(std::string_view text) const {
  constexpr std::string_view kLetters = "ntrabfv0\\'\"";
  constexpr std::string_view kMeanings("\n\t\r\a\b\f\v\0\\'\"", 11);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out.push_back(text[i]);
      continue;
    }
    const char letter = text[++i];
    if (letter == '\n') continue;
    if (const std::size_t digits = escape_digits(letter); digits > 0) {
      std::uint32_t code_point = 0;
      const std::string_view hex = text.substr(i + 1, digits);
      const auto parsed = std::from_chars(hex.data(), hex.data() + hex.size(), code_point, 16);
      if (hex.size() != digits || parsed.ptr != hex.data() + digits || code_point > 0x10ffff) fail("a bad \\ escape");
      append_utf8(out, code_point);
      i += digits;
    } else if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
      out.push_back(kMeanings[known]);
    } else {
      out.push_back('\\');
      out.push_back(letter);
    }
  }
  return out;
}

ExpressionPointer ExpressionParser::parse_brackets() {
  const Nested nested(*this);
  if (accept_symbol("(")) {
    if (accept_symbol(")")) return make(Expression::Kind::tuple);
    auto inner = parse_tuple();
    expect_symbol(")");
    return inner;
  }
  if (accept_symbol("[")) {
    auto list = make(Expression::Kind::list);
    while (!at_symbol("]")) {
      adopt(*list, parse_expression());
      if (!accept_symbol(",")) break;
    }
    expect_symbol("]");
    return list;
  }
  if (at_symbol("{")) return parse_dict();
  fail(fmt::format("unexpected '{}'", current().text));
}

ExpressionPointer ExpressionParser::parse_dict() {
  expect_symbol("{");
  auto dict = make(Expression::Kind::dict);
  while (!at_symbol("}")) {
    adopt(*dict, parse_expression());
    expect_symbol(":");
    adopt(*dict, parse_expression());
    if (!accept_symbol(",")) break;
  }
  expect_symbol("}");
  return dict;
}

ExpressionPointer ExpressionParser::parse_postfix(ExpressionPointer operand) {
  for (;;) {
    if (accept_symbol(".")) {
      if (current().kind == Token::Kind::integer) {
        auto index = parse_number();
        operand = make(Expression::Kind::item, {&operand, &index});
        continue;
      }
      const std::string_view name = take_name("an attribute's name");
      operand = make(Expression::Kind::attribute, {&operand});
      operand->name = name;
    } else if (at_symbol("[")) {
      operand = parse_subscript(std::move(operand));
    } else if (at_symbol("(")) {
      operand = make(Expression::Kind::call, {&operand});
      parse_arguments(*operand);
    } else {
      return operand;
    }
  }
}

ExpressionPointer ExpressionParser::parse_subscript(ExpressionPointer operand) {
  expect_symbol("[");
  std::array<ExpressionPointer, 3> parts;
  std::size_t part = 0;
  while (!at_symbol("]")) {
    if (accept_symbol(":")) {
      if (++part == parts.size()) fail("a slice has at most three parts");
    } else {
      if (parts[part]) fail(fmt::format("unexpected '{}' in square brackets", current().text));
      parts[part] = parse_expression();
    }
  }
  expect_symbol("]");
  if (part > 0) return make(Expression::Kind::slice, {&operand, &parts[0], &parts[1], &parts[2]});
  if (!parts[0]) fail("empty square brackets");
  return make(Expression::Kind::item, {&operand, &parts[0]});
}

void ExpressionParser::parse_arguments(Expression& call) {
  const Nested nested(*this);
  expect_symbol("(");
  while (!at_symbol(")")) {
    if (at_symbol("*") || at_symbol("**")) fail("arguments with * or ** are not supported");
    if (current().kind == Token::Kind::name && next().kind == Token::Kind::symbol && next().text == "=") {
      const std::string_view name = take_name("a name");
      advance();
      auto value = parse_expression();
      call.height = std::max(call.height, value->height + 1);
      call.keywords.emplace_back(name, std::move(value));
    } else {
      if (!call.keywords.empty()) fail("an argument by position stands behind one by name");
      adopt(call, parse_expression());
    }
    if (!accept_symbol(",")) break;
  }
  expect_symbol(")");
}

ExpressionPointer ExpressionParser::parse_filters(ExpressionPointer operand) {
  for (;;) {
    if (accept_symbol("|")) {
      operand = parse_filter(std::move(operand));
    } else if (accept_name("is")) {
      operand = parse_test(std::move(operand));
    } else if (at_symbol("(")) {
      operand = make(Expression::Kind::call, {&operand});
      parse_arguments(*operand);
    } else {
      return operand;
    }
  }
}

ExpressionPointer ExpressionParser::parse_filter(ExpressionPointer operand) {
  const std::string_view name = take_name("a filter's name");
  operand = make(Expression::Kind::filter, {&operand});
  operand->name = name;
  if (at_symbol("(")) parse_arguments(*operand);
  return operand;
}

ExpressionPointer ExpressionParser::parse_test(ExpressionPointer operand) {
  const bool negated = accept_name("not");
  const std::string_view name = take_name("a test's name");
  auto test = make(Expression::Kind::test, {&operand});
  test->name = name;
  const Token::Kind kind = current().kind;
  const bool argument = kind == Token::Kind::string || kind == Token::Kind::integer || kind == Token::Kind::real ||
                        at_symbol("[") || at_symbol("{") ||
                        (kind == Token::Kind::name && !at_name("else") && !at_name("or") && !at_name("and") &&
                         !at_name("is") && !at_name("if") && !at_name("not") && !at_name("in"));
  if (at_symbol("(")) {
    parse_arguments(*test);
  } else if (argument) {
    adopt(*test, parse_postfix(parse_primary()));
  }
  if (!negated) return test;
  auto expression = make(Expression::Kind::unary, {&test});
  expression->name = "not";
  return expression;
}

}  // namespace stint::chat_template
