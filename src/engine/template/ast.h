// The parsed form of a template. Built by the parser, immutable afterwards, shared by all renders; texts and names
// point into the template's source or its own storage. What the members mean depends on `kind`, as its comment says.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/template/value.h"

namespace stint::chat_template {

struct Expression;
using ExpressionPointer = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    constant,     // value
    name,         // name
    list,         // operands
    tuple,        // operands
    dict,         // operands: key, value, key, value, ...
    attribute,    // operands[0] . name
    item,         // operands[0] [ operands[1] ]
    slice,        // operands[0] [ operands[1] : operands[2] : operands[3] ], each may be null
    call,         // operands[0] ( the rest, keywords )
    filter,       // operands[0] | name ( the rest, keywords )
    test,         // operands[0] is name ( the rest )
    unary,        // symbol operands[0]
    binary,       // operands[0] symbol operands[1]
    concatenate,  // operands, joined as texts
    compare,      // operands[0] symbols[0] operands[1] symbols[1] ...
    logical_and,  // operands[0], operands[1]
    logical_or,
    conditional,  // operands[0] if operands[1] else operands[2], which may be null
  };
  Kind kind = Kind::constant;
  std::uint32_t line = 0;
  std::uint32_t height = 1;  // of the tree below, itself included
  std::string_view name;     // or the symbol of unary and binary
  Value value;
  std::vector<ExpressionPointer> operands;
  std::vector<std::string_view> symbols;
  std::vector<std::pair<std::string_view, ExpressionPointer>> keywords;
};

struct MacroNode;
struct Statement;
using Block = std::vector<Statement>;

struct Branch {
  ExpressionPointer condition;
  Block body;
};

struct Statement {
  enum class Kind : std::uint8_t {
    data,           // text
    output,         // expression
    condition,      // the first of branches whose condition holds, else: otherwise
    loop,           // for targets in expression if filter: body, else: otherwise
    set,            // targets = expression
    set_attribute,  // targets[0] . targets[1] = expression
    set_block,      // targets[0] = body, through filters
    macro,          // macro
    call_block,     // call macro's parameters with expression (a call): macro's body
    filter_block,   // body, through filters
    with,           // targets = expressions of `expression` (a tuple): body
    group,          // body alone (generation)
    break_loop,
    continue_loop,
  };
  Kind kind = Kind::data;
  std::uint32_t line = 0;
  std::string_view text;
  ExpressionPointer expression;
  ExpressionPointer filter;  // loop: condition; filter_block, set_block: filters over a placeholder
  std::vector<std::string_view> targets;
  std::vector<Branch> branches;
  Block body;
  Block otherwise;
  std::unique_ptr<MacroNode> macro;
};

struct MacroNode {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::vector<ExpressionPointer> defaults;  // of the last parameters
  Block body;
};

// A whole template with the storage its texts and names point into. Not movable: they point into the strings' own
// memory.
struct Syntax {
  Syntax() = default;
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  std::string source;
  std::deque<std::string> strings;
  std::deque<Text> texts;
  Block body;
};

}  // namespace stint::chat_template
