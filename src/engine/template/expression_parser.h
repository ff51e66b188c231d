// ExpressionParser: the expressions of Jinja, over a list of tokens. The base of the statement parser; one template,
// one use. Precedence, loosest first: if-else, or, and, not, comparisons, + -, ~, * / // %, **, unary minus, then . []
// () | is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/template/ast.h"
#include "engine/template/lexer.h"

namespace stint::chat_template {

class ExpressionParser {
 protected:
  ExpressionParser(Syntax& syntax, std::vector<Token> tokens) : syntax_(syntax), tokens_(std::move(tokens)) {}

  // Counts nesting while it lives; throws at kNestingMax.
  class Nested {
   public:
    explicit Nested(ExpressionParser& parser);
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    ExpressionParser& parser_;
  };

  [[noreturn]] void fail(std::string_view what) const;
  const Token& current() const { return tokens_[position_]; }
  const Token& next() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  void advance() { position_ += position_ + 1 < tokens_.size() ? 1 : 0; }
  bool at_symbol(std::string_view symbol) const;
  bool at_name(std::string_view name) const;
  bool accept_symbol(std::string_view symbol);
  bool accept_name(std::string_view name);
  void expect_symbol(std::string_view symbol);
  void expect_name(std::string_view name);
  std::string_view take_name(std::string_view what);

  // An expression; without_condition stops before `if`, as the iterable of a for does.
  ExpressionPointer parse_expression(bool with_condition = true);
  // One, or several with commas between: a tuple.
  ExpressionPointer parse_tuple(bool with_condition = true);
  ExpressionPointer parse_unary(bool with_filters = true);
  // The filters behind a placeholder: of filter blocks and set blocks.
  ExpressionPointer parse_filters(ExpressionPointer operand);
  ExpressionPointer parse_filter(ExpressionPointer operand);
  ExpressionPointer make(Expression::Kind kind, std::initializer_list<ExpressionPointer*> operands = {}) const;

 private:
  ExpressionPointer parse_or();
  ExpressionPointer parse_and();
  ExpressionPointer parse_not();
  ExpressionPointer parse_compare();
  ExpressionPointer parse_sum();
  ExpressionPointer parse_concatenation();
  ExpressionPointer parse_product();
  ExpressionPointer parse_power();
  ExpressionPointer parse_primary();
  ExpressionPointer parse_name();
  ExpressionPointer parse_number();
  ExpressionPointer parse_string();
  ExpressionPointer parse_brackets();
  ExpressionPointer parse_dict();
  ExpressionPointer parse_postfix(ExpressionPointer operand);
  ExpressionPointer parse_subscript(ExpressionPointer operand);
  ExpressionPointer parse_test(ExpressionPointer operand);
  void parse_arguments(Expression& call);
  void adopt(Expression& parent, ExpressionPointer operand) const;
  ExpressionPointer binary(ExpressionPointer left, std::string_view symbol, ExpressionPointer right) const;
  std::string unescape(std::string_view text) const;

  Syntax& syntax_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t nesting_ = 0;

  friend class Nested;
};

}  // namespace stint::chat_template
