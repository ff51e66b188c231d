// What Interpreter holds for the length of a C++ scope: a scope of variables, a level of evaluation.
#pragma once

#include "engine/template/interpreter.h"
#include "engine/template/limits.h"

namespace stint::chat_template {

class Interpreter::ScopeGuard {
 public:
  ScopeGuard(Interpreter& interpreter, std::size_t parent) : interpreter_(interpreter), before_(interpreter.current_) {
    interpreter_.scopes_.push_back({.parent = parent, .variables = {}});
    interpreter_.current_ = interpreter_.scopes_.size() - 1;
  }
  ~ScopeGuard() {
    interpreter_.scopes_.pop_back();
    interpreter_.current_ = before_;
  }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Interpreter& interpreter_;
  std::size_t before_;
};

class Interpreter::DepthGuard {
 public:
  explicit DepthGuard(Interpreter& interpreter) : interpreter_(interpreter) {
    interpreter_.arena_.charge_steps(1);
    if (interpreter_.depth_ >= kEvaluationDepthMax) throw TemplateError("the template calls itself too deeply");
    ++interpreter_.depth_;
  }
  ~DepthGuard() { --interpreter_.depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  Interpreter& interpreter_;
};

}  // namespace stint::chat_template
