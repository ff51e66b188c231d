// Interpreter: runs one parsed template once. Holds the variables, the output and the call depth of that render; the
// Arena owns the values. Not thread-safe; one per render. Throws TemplateError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/template/ast.h"
#include "engine/template/value.h"

namespace stint::chat_template {

class Interpreter {
 public:
  // `unix_seconds`: what strftime_now tells.
  Interpreter(Arena& arena, std::int64_t unix_seconds);

  void set(std::string_view name, const Value& value) { scopes_[current_].set(name, value); }
  // Once. The text of the whole template.
  TextBuilder run(const Block& body);

 private:
  // Variables of one block; `parent` is where a name is looked for next.
  struct Scope {
    std::size_t parent = 0;
    std::vector<std::pair<std::string_view, Value>> variables;

    void set(std::string_view name, const Value& value);
    const Value* find(std::string_view name) const;
  };
  class ScopeGuard;
  class DepthGuard;
  enum class Flow : std::uint8_t { next, leave_loop, next_round };

  Flow execute(const Block& body, TextBuilder& out);
  Flow execute(const Statement& statement, TextBuilder& out);
  Flow execute_condition(const Statement& statement, TextBuilder& out);
  Flow execute_loop(const Statement& statement, TextBuilder& out);
  Flow execute_with(const Statement& statement, TextBuilder& out);
  void execute_set(const Statement& statement);
  void execute_set_block(const Statement& statement);
  void execute_call_block(const Statement& statement, TextBuilder& out);
  void assign(const std::vector<std::string_view>& targets, const Value& value);
  // The text of `body`, through the filters that stand over a placeholder, if any.
  Value capture(const Block& body, const Expression* filters);

  Value evaluate(const Expression& expression);
  Value evaluate_or_undefined(const Expression* expression);
  Value evaluate_dict(const Expression& expression);
  Value evaluate_unary(const Expression& expression);
  Value evaluate_compare(const Expression& expression);
  Value evaluate_concatenation(const Expression& expression);
  Value evaluate_attribute(const Expression& expression);
  std::vector<Value> evaluate_all(const Expression& expression, std::size_t first);
  Arguments evaluate_arguments(const Expression& expression);
  Value look_up(std::string_view name);

  Value call(const Expression& expression, const Value* caller);
  Value call_macro(const Callable& callable, const Arguments& arguments, const Value* caller);

  Arena& arena_;
  std::int64_t unix_seconds_;
  std::vector<Scope> scopes_;  // [0]: the outermost
  std::size_t current_ = 0;
  std::size_t depth_ = 0;

  friend class ScopeGuard;
  friend class DepthGuard;
};

}  // namespace stint::chat_template
