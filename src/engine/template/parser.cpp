#include "engine/template/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/template/expression_parser.h"
#include "engine/template/lexer.h"

namespace stint::chat_template {
namespace {

class StatementParser : private ExpressionParser {
 public:
  StatementParser(Syntax& syntax, std::vector<Token> tokens) : ExpressionParser(syntax, std::move(tokens)) {}

  Block parse() {
    Block body = parse_block({});
    if (current().kind != Token::Kind::end) fail(fmt::format("unexpected {{% {} %}}", current().text));
    return body;
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  Block parse_block(Names ends);
  Statement parse_tag();
  Statement parse_if();
  Statement parse_for();
  Statement parse_set();
  Statement parse_macro();
  Statement parse_call();
  Statement parse_filter_block();
  Statement parse_with();
  std::vector<std::string_view> parse_targets();
  void parse_parameters(MacroNode& macro);
  ExpressionPointer placeholder() const;
  Statement make_statement(Statement::Kind kind) const;
  void end_tag();
  bool at_end_of(Names ends) const;
  // The body of a block up to {% end %}, which is consumed.
  Block parse_body(std::string_view end);
};

Statement StatementParser::make_statement(Statement::Kind kind) const {
  Statement statement;
  statement.kind = kind;
  statement.line = current().line;
  return statement;
}

void StatementParser::end_tag() {
  if (current().kind != Token::Kind::block_end) fail(fmt::format("expected %}}, found '{}'", current().text));
  advance();
}

bool StatementParser::at_end_of(Names ends) const {
  return current().kind == Token::Kind::block_begin && next().kind == Token::Kind::name &&
         std::ranges::find(ends, next().text) != ends.end();
}

// Up to, and without, a tag that begins with one of `ends`, or the end of the template.
Block StatementParser::parse_block(Names ends) {
  const Nested nested(*this);
  Block block;
  while (current().kind != Token::Kind::end && !at_end_of(ends)) {
    if (current().kind == Token::Kind::data) {
      block.push_back(make_statement(Statement::Kind::data));
      block.back().text = current().text;
      advance();
    } else if (current().kind == Token::Kind::variable_begin) {
      advance();
      block.push_back(make_statement(Statement::Kind::output));
      block.back().expression = parse_tuple();
      if (current().kind != Token::Kind::variable_end) fail(fmt::format("expected }}}}, found '{}'", current().text));
      advance();
    } else {
      if (current().kind != Token::Kind::block_begin) fail(fmt::format("unexpected '{}'", current().text));
      advance();
      block.push_back(parse_tag());
    }
  }
  if (ends.size() > 0 && current().kind == Token::Kind::end) {
    fail(fmt::format("{{% {} %}} is missing", *(ends.end() - 1)));
  }
  return block;
}

Block StatementParser::parse_body(std::string_view end) {
  Block body = parse_block({end});
  advance();
  advance();
  end_tag();
  return body;
}

Statement StatementParser::parse_tag() {
  const std::string_view name = take_name("a block's name");
  if (name == "if") return parse_if();
  if (name == "for") return parse_for();
  if (name == "set") return parse_set();
  if (name == "macro") return parse_macro();
  if (name == "call") return parse_call();
  if (name == "filter") return parse_filter_block();
  if (name == "with") return parse_with();
  if (name == "break" || name == "continue") {
    Statement statement =
        make_statement(name == "break" ? Statement::Kind::break_loop : Statement::Kind::continue_loop);
    end_tag();
    return statement;
  }
  if (name == "generation") {
    Statement statement = make_statement(Statement::Kind::group);
    end_tag();
    statement.body = parse_body("endgeneration");
    return statement;
  }
  fail(fmt::format("the block {{% {} %}} is not supported here", name));
}

Statement StatementParser::parse_if() {
  Statement statement = make_statement(Statement::Kind::condition);
  for (;;) {
    Branch& branch = statement.branches.emplace_back();
    branch.condition = parse_tuple();
    end_tag();
    branch.body = parse_block({"elif", "else", "endif"});
    advance();
    if (accept_name("elif")) continue;
    if (accept_name("else")) {
      end_tag();
      statement.otherwise = parse_body("endif");
      return statement;
    }
    expect_name("endif");
    end_tag();
    return statement;
  }
}

std::vector<std::string_view> StatementParser::parse_targets() {
  const bool brackets = accept_symbol("(");
  std::vector<std::string_view> targets{take_name("a variable's name")};
  while (accept_symbol(",")) targets.push_back(take_name("a variable's name"));
  if (brackets) expect_symbol(")");
  return targets;
}

Statement StatementParser::parse_for() {
  Statement statement = make_statement(Statement::Kind::loop);
  statement.targets = parse_targets();
  expect_name("in");
  statement.expression = parse_tuple(false);
  if (accept_name("if")) statement.filter = parse_expression();
  if (at_name("recursive")) fail("recursive loops are not supported");
  end_tag();
  statement.body = parse_block({"else", "endfor"});
  advance();
  if (accept_name("else")) {
    end_tag();
    statement.otherwise = parse_body("endfor");
    return statement;
  }
  expect_name("endfor");
  end_tag();
  return statement;
}

ExpressionPointer StatementParser::placeholder() const {
  return make(Expression::Kind::name);
}

Statement StatementParser::parse_set() {
  Statement statement = make_statement(Statement::Kind::set);
  statement.targets = parse_targets();
  if (accept_symbol(".")) {
    statement.kind = Statement::Kind::set_attribute;
    statement.targets.push_back(take_name("an attribute's name"));
  }
  if (accept_symbol("=")) {
    statement.expression = parse_tuple();
    end_tag();
    return statement;
  }
  if (statement.kind == Statement::Kind::set_attribute || statement.targets.size() != 1) fail("expected '='");
  statement.kind = Statement::Kind::set_block;
  if (at_symbol("|")) statement.filter = parse_filters(placeholder());
  end_tag();
  statement.body = parse_body("endset");
  return statement;
}

void StatementParser::parse_parameters(MacroNode& macro) {
  expect_symbol("(");
  while (!at_symbol(")")) {
    macro.parameters.push_back(take_name("a parameter's name"));
    if (accept_symbol("=")) {
      macro.defaults.push_back(parse_expression());
    } else if (!macro.defaults.empty()) {
      fail("a parameter without default stands behind one with");
    }
    if (!accept_symbol(",")) break;
  }
  expect_symbol(")");
}

Statement StatementParser::parse_macro() {
  Statement statement = make_statement(Statement::Kind::macro);
  statement.macro = std::make_unique<MacroNode>();
  statement.macro->name = take_name("a macro's name");
  parse_parameters(*statement.macro);
  end_tag();
  statement.macro->body = parse_body("endmacro");
  return statement;
}

Statement StatementParser::parse_call() {
  Statement statement = make_statement(Statement::Kind::call_block);
  statement.macro = std::make_unique<MacroNode>();
  statement.macro->name = "caller";
  if (at_symbol("(")) parse_parameters(*statement.macro);
  statement.expression = parse_expression();
  if (statement.expression->kind != Expression::Kind::call) fail("{% call %} needs a call");
  end_tag();
  statement.macro->body = parse_body("endcall");
  return statement;
}

Statement StatementParser::parse_filter_block() {
  Statement statement = make_statement(Statement::Kind::filter_block);
  statement.filter = parse_filters(parse_filter(placeholder()));
  end_tag();
  statement.body = parse_body("endfilter");
  return statement;
}

Statement StatementParser::parse_with() {
  Statement statement = make_statement(Statement::Kind::with);
  statement.expression = make(Expression::Kind::tuple);
  while (current().kind != Token::Kind::block_end) {
    statement.targets.push_back(take_name("a variable's name"));
    expect_symbol("=");
    statement.expression->operands.push_back(parse_expression());
    if (!accept_symbol(",")) break;
  }
  end_tag();
  statement.body = parse_body("endwith");
  return statement;
}

}  // namespace

std::unique_ptr<const Syntax> parse_template(std::string_view source) {
  auto syntax = std::make_unique<Syntax>();
  syntax->source = normalise_newlines(source);
  syntax->body = StatementParser(*syntax, lex(syntax->source)).parse();
  return syntax;
}

}  // namespace stint::chat_template
