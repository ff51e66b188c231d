// Value: what an expression of a template can be. Small and copied freely; lists, dicts and texts live in the Arena of
// one render (or in the parsed template) and are only pointed to. Not thread-safe. Failures inside the module travel as
// TemplateError, which ChatTemplate turns into a Result; it never leaves the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/template/limits.h"
#include "engine/template/text.h"

namespace stint::chat_template {

class TemplateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct List;
struct Dict;
struct Loop;
struct Callable;

enum class Kind : std::uint8_t { undefined, none, boolean, integer, real, text, list, dict, loop, callable };

struct Value {
  Kind kind = Kind::undefined;
  union {
    bool boolean;
    std::int64_t integer = 0;
    double real;
    const Text* text;
    List* list;
    Dict* dict;
    Loop* loop;
    const Callable* callable;
  };

  static Value none() { return make(Kind::none); }
  static Value of(bool value);
  static Value of(std::int64_t value);
  static Value of(double value);
  static Value of(const Text* value);
  static Value of(List* value);
  static Value of(Dict* value);
  static Value of(Loop* value);
  static Value of(const Callable* value);

  bool is(Kind other) const { return kind == other; }
  bool is_number() const { return kind == Kind::integer || kind == Kind::real || kind == Kind::boolean; }
  // Requires a number.
  double as_real() const;
  std::string_view bytes() const { return text->bytes; }

 private:
  static Value make(Kind kind) {
    Value value;
    value.kind = kind;
    return value;
  }
};

struct List {
  std::vector<Value> items;
  bool is_tuple = false;  // printed with round brackets
};

// In order of insertion. Keys are texts or numbers.
struct Dict {
  struct Entry {
    Value key;
    Value value;
  };
  std::vector<Entry> entries;
  std::map<std::string_view, std::size_t> index;  // of text keys, once there are many
  bool is_namespace = false;

  const Value* find(std::string_view key) const;
  const Value* find(const Value& key) const;
  // Replaces or appends.
  void set(const Value& key, const Value& value);

 private:
  // entries.size() if there is none.
  std::size_t position(std::string_view key) const;
  std::size_t position(const Value& key) const;
};

// The `loop` of a for block.
struct Loop {
  const List* items = nullptr;
  std::size_t index = 0;
  Value last_changed;  // of loop.changed(...)
  bool has_changed = false;
};

struct MacroNode;

// What stands before round brackets: a macro, a function of the environment, or a method with its object.
struct Callable {
  enum class Kind : std::uint8_t { macro, function, method };
  Kind kind = Kind::function;
  std::string_view name;
  Value object;                      // method
  const MacroNode* macro = nullptr;  // macro, or the body of a call block
  std::size_t scope_count = 0;       // call block: how many scopes its body sees; 0: the outermost only
};

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;

  // By position, else by name; nullptr if not given.
  const Value* find(std::size_t index, std::string_view name) const;
};

// Owns everything one render makes, until it ends, and counts what it costs.
class Arena {
 public:
  explicit Arena(std::uint64_t made_size_max, std::uint64_t step_count_max = kStepCountMax)
      : steps_left_(step_count_max), bytes_left_(made_size_max) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Throw when a limit of limits.h is met.
  void charge_steps(std::uint64_t count);
  void charge_bytes(std::uint64_t size);

  Value text(Text text);
  Value text(TextBuilder&& builder);
  // A copy of `bytes`, trusted or not.
  Value text(std::string_view bytes, bool trusted);
  // Lists are charged when made and for every item of `items`.
  Value list(std::vector<Value> items, bool is_tuple = false);
  void push(List& list, const Value& value);
  Value dict();
  void set(Dict& dict, const Value& key, const Value& value);
  Loop* loop();
  Value callable(const Callable& callable);

 private:
  std::uint64_t steps_left_;
  std::uint64_t bytes_left_;
  std::deque<std::string> bytes_;
  std::deque<Text> texts_;
  std::deque<List> lists_;
  std::deque<Dict> dicts_;
  std::deque<Loop> loops_;
  std::deque<Callable> callables_;
};

}  // namespace stint::chat_template
