// The expressions of a template; statements are in interpreter.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "engine/template/conditions.h"
#include "engine/template/filters.h"
#include "engine/template/functions.h"
#include "engine/template/interpreter.h"
#include "engine/template/interpreter_guards.h"
#include "engine/template/methods.h"
#include "engine/template/operators.h"
#include "platform/base/assert.h"

namespace stint::chat_template {

Value Interpreter::evaluate(const Expression& expression) {
  const DepthGuard guard(*this);
  const auto operand = [&](std::size_t index) { return evaluate(*expression.operands[index]); };
  switch (expression.kind) {
    case Expression::Kind::constant:
      return expression.value;
    case Expression::Kind::name:
      return look_up(expression.name);
    case Expression::Kind::list:
    case Expression::Kind::tuple:
      return arena_.list(evaluate_all(expression, 0), expression.kind == Expression::Kind::tuple);
    case Expression::Kind::dict:
      return evaluate_dict(expression);
    case Expression::Kind::attribute:
      return evaluate_attribute(expression);
    case Expression::Kind::item: {
      const Value object = operand(0);
      return get_item(object, operand(1), arena_);
    }
    case Expression::Kind::slice: {
      const Value object = operand(0);
      const Value start = evaluate_or_undefined(expression.operands[1].get());
      const Value stop = evaluate_or_undefined(expression.operands[2].get());
      return get_slice(object, start, stop, evaluate_or_undefined(expression.operands[3].get()), arena_);
    }
    case Expression::Kind::call:
      return call(expression, nullptr);
    case Expression::Kind::filter: {
      const Value value = operand(0);
      return apply_filter(expression.name, value, evaluate_arguments(expression), arena_);
    }
    case Expression::Kind::test: {
      const Value value = operand(0);
      return Value::of(check_condition(expression.name, value, evaluate_arguments(expression), arena_));
    }
    case Expression::Kind::unary:
      return evaluate_unary(expression);
    case Expression::Kind::binary: {
      const Value left = operand(0);
      return calculate(expression.name, left, operand(1), arena_);
    }
    case Expression::Kind::concatenate:
      return evaluate_concatenation(expression);
    case Expression::Kind::compare:
      return evaluate_compare(expression);
    case Expression::Kind::logical_and: {
      const Value left = operand(0);
      return is_true(left) ? operand(1) : left;
    }
    case Expression::Kind::logical_or: {
      const Value left = operand(0);
      return is_true(left) ? left : operand(1);
    }
    case Expression::Kind::conditional:
      return is_true(operand(1)) ? operand(0) : evaluate_or_undefined(expression.operands[2].get());
  }
  STINT_ASSERT(false);
}

Value Interpreter::evaluate_or_undefined(const Expression* expression) {
  return expression == nullptr ? Value() : evaluate(*expression);
}

std::vector<Value> Interpreter::evaluate_all(const Expression& expression, std::size_t first) {
  std::vector<Value> values;
  for (std::size_t i = first; i < expression.operands.size(); ++i) values.push_back(evaluate(*expression.operands[i]));
  return values;
}

Arguments Interpreter::evaluate_arguments(const Expression& expression) {
  Arguments arguments{.positional = evaluate_all(expression, 1), .keywords = {}};
  for (const auto& [name, value] : expression.keywords) arguments.keywords.emplace_back(name, evaluate(*value));
  return arguments;
}

Value Interpreter::evaluate_dict(const Expression& expression) {
  const Value dict = arena_.dict();
  for (std::size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
    const Value key = evaluate(*expression.operands[i]);
    arena_.set(*dict.dict, key, evaluate(*expression.operands[i + 1]));
  }
  return dict;
}

Value Interpreter::evaluate_unary(const Expression& expression) {
  const Value value = evaluate(*expression.operands[0]);
  if (expression.name == "not") return Value::of(!is_true(value));
  if (expression.name == "-") return negate(value);
  if (!value.is_number()) throw TemplateError(fmt::format("cannot use '+' on {}", kind_name(value)));
  return value;
}

Value Interpreter::evaluate_compare(const Expression& expression) {
  Value left = evaluate(*expression.operands[0]);
  for (std::size_t i = 0; i < expression.symbols.size(); ++i) {
    const std::string_view symbol = expression.symbols[i];
    const Value right = evaluate(*expression.operands[i + 1]);
    bool holds = false;
    if (symbol == "==" || symbol == "!=") {
      holds = equal(left, right, arena_) == (symbol == "==");
    } else if (symbol == "in" || symbol == "not in") {
      holds = contains(right, left, arena_) == (symbol == "in");
    } else {
      const int compared = order(left, right, arena_);
      holds = symbol == "<"    ? compared < 0
              : symbol == "<=" ? compared <= 0
              : symbol == ">"  ? compared > 0
                               : compared >= 0;
    }
    if (!holds) return Value::of(false);
    left = right;
  }
  return Value::of(true);
}

Value Interpreter::evaluate_concatenation(const Expression& expression) {
  TextBuilder out;
  for (const ExpressionPointer& operand : expression.operands) append_text(out, evaluate(*operand), arena_);
  return arena_.text(std::move(out));
}

// The name of an undefined variable makes the error useful.
Value Interpreter::evaluate_attribute(const Expression& expression) {
  const Expression& inner = *expression.operands[0];
  const Value object = evaluate(inner);
  if (object.is(Kind::undefined) &&
      (inner.kind == Expression::Kind::name || inner.kind == Expression::Kind::attribute)) {
    throw TemplateError(fmt::format("'{}' is undefined and has no '{}'", inner.name, expression.name));
  }
  return get_attribute(object, expression.name, arena_);
}

Value Interpreter::look_up(std::string_view name) {
  for (std::size_t scope = current_;; scope = scopes_[scope].parent) {
    arena_.charge_steps(scopes_[scope].variables.size() / 8);
    if (const Value* value = scopes_[scope].find(name)) return *value;
    if (scope == 0) break;
  }
  if (is_function(name)) return arena_.callable({.kind = Callable::Kind::function, .name = name});
  return {};
}

Value Interpreter::call(const Expression& expression, const Value* caller) {
  const Expression& callee = *expression.operands[0];
  const Value function = evaluate(callee);
  if (!function.is(Kind::callable)) {
    throw TemplateError(callee.name.empty() ? fmt::format("cannot call {}", kind_name(function))
                                            : fmt::format("'{}' is no function", callee.name));
  }
  const Callable& callable = *function.callable;
  const Arguments arguments = evaluate_arguments(expression);
  switch (callable.kind) {
    case Callable::Kind::macro:
      return call_macro(callable, arguments, caller);
    case Callable::Kind::method:
      return call_method(callable.object, callable.name, arguments, arena_);
    case Callable::Kind::function:
      return call_function(callable.name, arguments, unix_seconds_, arena_);
  }
  STINT_ASSERT(false);
}

// A macro sees its parameters and the outermost scope; the body of a call block sees the scopes it stands in.
Value Interpreter::call_macro(const Callable& callable, const Arguments& arguments, const Value* caller) {
  const DepthGuard guard(*this);
  const MacroNode& macro = *callable.macro;
  const std::size_t count = macro.parameters.size();
  const ScopeGuard scope(*this, callable.scope_count > 0 ? callable.scope_count - 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Value* given = arguments.find(i, macro.parameters[i]);
    const std::size_t first_default = count - macro.defaults.size();
    Value value;
    if (given != nullptr) {
      value = *given;
    } else if (i >= first_default) {
      value = evaluate(*macro.defaults[i - first_default]);
    }
    set(macro.parameters[i], value);
  }
  if (arguments.positional.size() > count) {
    set("varargs",
        arena_.list({arguments.positional.begin() + static_cast<std::ptrdiff_t>(count), arguments.positional.end()},
                    true));
  }
  if (caller != nullptr) set("caller", *caller);
  TextBuilder out;
  if (execute(macro.body, out) != Flow::next) throw TemplateError("break or continue stands outside of a loop");
  return arena_.text(std::move(out));
}

}  // namespace stint::chat_template
