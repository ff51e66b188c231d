#include "engine/template/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/template/operators.h"
#include "platform/base/assert.h"

namespace stint::chat_template {
namespace {

constexpr std::size_t kIndexedEntryCount = 16;  // dicts above this size look their text keys up in a tree

}  // namespace

Value Value::of(bool value) {
  Value out = make(Kind::boolean);
  out.boolean = value;
  return out;
}

Value Value::of(std::int64_t value) {
  Value out = make(Kind::integer);
  out.integer = value;
  return out;
}

Value Value::of(double value) {
  Value out = make(Kind::real);
  out.real = value;
  return out;
}

Value Value::of(const Text* value) {
  Value out = make(Kind::text);
  out.text = value;
  return out;
}

Value Value::of(List* value) {
  Value out = make(Kind::list);
  out.list = value;
  return out;
}

Value Value::of(Dict* value) {
  Value out = make(Kind::dict);
  out.dict = value;
  return out;
}

Value Value::of(Loop* value) {
  Value out = make(Kind::loop);
  out.loop = value;
  return out;
}

Value Value::of(const Callable* value) {
  Value out = make(Kind::callable);
  out.callable = value;
  return out;
}

double Value::as_real() const {
  STINT_ASSERT(is_number());
  if (kind == Kind::real) return real;
  return kind == Kind::boolean ? (boolean ? 1.0 : 0.0) : static_cast<double>(integer);
}

std::size_t Dict::position(std::string_view key) const {
  if (!index.empty()) {
    const auto found = index.find(key);
    return found == index.end() ? entries.size() : found->second;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].key.is(Kind::text) && entries[i].key.bytes() == key) return i;
  }
  return entries.size();
}

std::size_t Dict::position(const Value& key) const {
  if (key.is(Kind::text)) return position(key.bytes());
  for (std::size_t i = 0; i < entries.size() && key.is_number(); ++i) {
    if (entries[i].key.is_number() && equal_numbers(entries[i].key, key)) return i;
  }
  return entries.size();
}

const Value* Dict::find(std::string_view key) const {
  const std::size_t i = position(key);
  return i == entries.size() ? nullptr : &entries[i].value;
}

const Value* Dict::find(const Value& key) const {
  const std::size_t i = position(key);
  return i == entries.size() ? nullptr : &entries[i].value;
}

void Dict::set(const Value& key, const Value& value) {
  const std::size_t present = position(key);
  if (present < entries.size()) {
    entries[present].value = value;
    return;
  }
  entries.push_back({key, value});
  if (entries.size() < kIndexedEntryCount) return;
  if (index.empty()) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].key.is(Kind::text)) index.emplace(entries[i].key.bytes(), i);
    }
  } else if (key.is(Kind::text)) {
    index.emplace(key.bytes(), present);
  }
}

const Value* Arguments::find(std::size_t index, std::string_view name) const {
  if (index < positional.size()) return &positional[index];
  for (const auto& [keyword, value] : keywords) {
    if (keyword == name) return &value;
  }
  return nullptr;
}

void Arena::charge_steps(std::uint64_t count) {
  if (count > steps_left_) throw TemplateError("the template takes too many steps");
  steps_left_ -= count;
}

void Arena::charge_bytes(std::uint64_t size) {
  if (size > bytes_left_) throw TemplateError("the template makes too much text");
  bytes_left_ -= size;
}

Value Arena::text(Text text) {
  charge_bytes(sizeof(Text) + text.runs.size() * sizeof(Run));
  return Value::of(&texts_.emplace_back(std::move(text)));
}

Value Arena::text(TextBuilder&& builder) {
  charge_bytes(builder.size());
  Text text;
  text.bytes = bytes_.emplace_back(builder.take_bytes());
  text.runs = builder.take_runs();
  if (text.runs.size() == 1) {
    text.trusted = text.runs.front().trusted;
    text.runs.clear();
  }
  return this->text(std::move(text));
}

Value Arena::text(std::string_view bytes, bool trusted) {
  charge_bytes(bytes.size());
  Text text;
  text.bytes = bytes_.emplace_back(bytes);
  text.trusted = trusted;
  return this->text(std::move(text));
}

Value Arena::list(std::vector<Value> items, bool is_tuple) {
  charge_steps(items.size());
  charge_bytes(sizeof(List) + items.size() * sizeof(Value));
  List& list = lists_.emplace_back();
  list.items = std::move(items);
  list.is_tuple = is_tuple;
  return Value::of(&list);
}

void Arena::push(List& list, const Value& value) {
  charge_bytes(sizeof(Value));
  list.items.push_back(value);
}

Value Arena::dict() {
  charge_bytes(sizeof(Dict));
  return Value::of(&dicts_.emplace_back());
}

void Arena::set(Dict& dict, const Value& key, const Value& value) {
  if (!key.is(Kind::text) && !key.is_number()) throw TemplateError("keys of a dict must be strings or numbers");
  charge_steps(1 + (dict.index.empty() ? dict.entries.size() / 4 : 4));
  charge_bytes(sizeof(Dict::Entry));
  dict.set(key, value);
}

Loop* Arena::loop() {
  charge_bytes(sizeof(Loop));
  return &loops_.emplace_back();
}

Value Arena::callable(const Callable& callable) {
  charge_bytes(sizeof(Callable));
  return Value::of(&callables_.emplace_back(callable));
}

}  // namespace stint::chat_template
