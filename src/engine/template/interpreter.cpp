// The statements of a template; expressions are in evaluation.cpp.
#include "engine/template/interpreter.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/template/interpreter_guards.h"
#include "engine/template/operators.h"

namespace stint::chat_template {

void Interpreter::Scope::set(std::string_view name, const Value& value) {
  const auto found = std::ranges::find(variables, name, [](const auto& variable) { return variable.first; });
  if (found != variables.end()) {
    found->second = value;
  } else {
    variables.emplace_back(name, value);
  }
}

const Value* Interpreter::Scope::find(std::string_view name) const {
  const auto found = std::ranges::find(variables, name, [](const auto& variable) { return variable.first; });
  return found == variables.end() ? nullptr : &found->second;
}

Interpreter::Interpreter(Arena& arena, std::int64_t unix_seconds)
    : arena_(arena), unix_seconds_(unix_seconds), scopes_(1) {}

TextBuilder Interpreter::run(const Block& body) {
  TextBuilder out;
  if (execute(body, out) != Flow::next) throw TemplateError("break or continue stands outside of a loop");
  return out;
}

Interpreter::Flow Interpreter::execute(const Block& body, TextBuilder& out) {
  const DepthGuard guard(*this);
  for (const Statement& statement : body) {
    try {
      const Flow flow = execute(statement, out);
      if (flow != Flow::next) return flow;
    } catch (const TemplateError& error) {
      // The innermost statement tells the line.
      if (std::string_view(error.what()).starts_with("line ")) throw;
      throw TemplateError(fmt::format("line {}: {}", statement.line, error.what()));
    }
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::execute(const Statement& statement, TextBuilder& out) {
  arena_.charge_steps(1);
  switch (statement.kind) {
    case Statement::Kind::data:
      arena_.charge_bytes(statement.text.size());
      out.append(statement.text, true);
      return Flow::next;
    case Statement::Kind::output:
      append_text(out, evaluate(*statement.expression), arena_);
      return Flow::next;
    case Statement::Kind::condition:
      return execute_condition(statement, out);
    case Statement::Kind::loop:
      return execute_loop(statement, out);
    case Statement::Kind::set:
    case Statement::Kind::set_attribute:
      execute_set(statement);
      return Flow::next;
    case Statement::Kind::set_block:
      execute_set_block(statement);
      return Flow::next;
    case Statement::Kind::macro:
      set(statement.macro->name, arena_.callable({.kind = Callable::Kind::macro, .macro = statement.macro.get()}));
      return Flow::next;
    case Statement::Kind::call_block:
      execute_call_block(statement, out);
      return Flow::next;
    case Statement::Kind::filter_block:
      append_text(out, capture(statement.body, statement.filter.get()), arena_);
      return Flow::next;
    case Statement::Kind::with:
      return execute_with(statement, out);
    case Statement::Kind::group:
      return execute(statement.body, out);
    case Statement::Kind::break_loop:
      return Flow::leave_loop;
    case Statement::Kind::continue_loop:
      return Flow::next_round;
  }
  return Flow::next;
}

Interpreter::Flow Interpreter::execute_condition(const Statement& statement, TextBuilder& out) {
  for (const Branch& branch : statement.branches) {
    if (is_true(evaluate(*branch.condition))) return execute(branch.body, out);
  }
  return execute(statement.otherwise, out);
}

// The filter is applied first, so that loop.last and loop.length tell of what is really looped over.
Interpreter::Flow Interpreter::execute_loop(const Statement& statement, TextBuilder& out) {
  std::vector<Value> items = iterate(evaluate(*statement.expression), arena_);
  bool empty = true;
  {
    const ScopeGuard scope(*this, current_);
    if (statement.filter) {
      std::vector<Value> kept;
      for (const Value& item : items) {
        assign(statement.targets, item);
        if (is_true(evaluate(*statement.filter))) kept.push_back(item);
      }
      items = std::move(kept);
    }
    Loop* loop = arena_.loop();
    loop->items = arena_.list(std::move(items)).list;
    empty = loop->items->items.empty();
    for (; loop->index < loop->items->items.size(); ++loop->index) {
      arena_.charge_steps(1);
      scopes_[current_].variables.clear();
      set("loop", Value::of(loop));
      assign(statement.targets, loop->items->items[loop->index]);
      if (execute(statement.body, out) == Flow::leave_loop) break;
    }
  }
  return empty ? execute(statement.otherwise, out) : Flow::next;
}

Interpreter::Flow Interpreter::execute_with(const Statement& statement, TextBuilder& out) {
  const std::vector<Value> values = evaluate_all(*statement.expression, 0);
  const ScopeGuard scope(*this, current_);
  for (std::size_t i = 0; i < values.size(); ++i) set(statement.targets[i], values[i]);
  return execute(statement.body, out);
}

void Interpreter::assign(const std::vector<std::string_view>& targets, const Value& value) {
  if (targets.size() == 1) return set(targets.front(), value);
  const std::vector<Value> values = iterate(value, arena_);
  if (values.size() != targets.size()) {
    throw TemplateError(fmt::format("cannot give {} values to {} names", values.size(), targets.size()));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) set(targets[i], values[i]);
}

void Interpreter::execute_set(const Statement& statement) {
  const Value value = evaluate(*statement.expression);
  if (statement.kind == Statement::Kind::set) return assign(statement.targets, value);
  const Value object = look_up(statement.targets[0]);
  if (!object.is(Kind::dict) || !object.dict->is_namespace) {
    throw TemplateError(fmt::format("'{}' is no namespace; its attributes cannot be set", statement.targets[0]));
  }
  arena_.set(*object.dict, arena_.text(statement.targets[1], true), value);
}

void Interpreter::execute_set_block(const Statement& statement) {
  set(statement.targets[0], capture(statement.body, statement.filter.get()));
}

Value Interpreter::capture(const Block& body, const Expression* filters) {
  TextBuilder inner;
  {
    const ScopeGuard scope(*this, current_);
    if (execute(body, inner) != Flow::next) throw TemplateError("break or continue leaves a block");
  }
  const Value text = arena_.text(std::move(inner));
  if (filters == nullptr) return text;
  const ScopeGuard scope(*this, current_);
  set("", text);  // the name of the placeholder
  return evaluate(*filters);
}

void Interpreter::execute_call_block(const Statement& statement, TextBuilder& out) {
  const Value caller =
      arena_.callable({.kind = Callable::Kind::macro, .macro = statement.macro.get(), .scope_count = current_ + 1});
  append_text(out, call(*statement.expression, &caller), arena_);
}

}  // namespace stint::chat_template
