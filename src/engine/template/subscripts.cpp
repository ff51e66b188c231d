// get_attribute(), get_item() and get_slice() of operators.h.
#include <fmt/format.h>

#include <algorithm>

#include "engine/template/methods.h"
#include "engine/template/operators.h"

namespace stint::chat_template {
namespace {

// loop.index and its kin; undefined for other names.
Value loop_attribute(const Loop& loop, std::string_view name) {
  const std::size_t count = loop.items->items.size();
  const auto number = [](std::size_t n) { return Value::of(static_cast<std::int64_t>(n)); };
  if (name == "index") return number(loop.index + 1);
  if (name == "index0") return number(loop.index);
  if (name == "revindex") return number(count - loop.index);
  if (name == "revindex0") return number(count - loop.index - 1);
  if (name == "first") return Value::of(loop.index == 0);
  if (name == "last") return Value::of(loop.index + 1 == count);
  if (name == "length") return number(count);
  if (name == "depth") return number(1);  // deeper only in recursive loops, which are refused
  if (name == "depth0") return number(0);
  if (name == "previtem") return loop.index > 0 ? loop.items->items[loop.index - 1] : Value();
  if (name == "nextitem") return loop.index + 1 < count ? loop.items->items[loop.index + 1] : Value();
  return {};
}

Value element(const Value& object, const Value& key, Arena& arena) {
  if (!key.is(Kind::integer) && !key.is(Kind::boolean)) return {};
  std::int64_t index = to_integer(key, "an index");
  if (object.is(Kind::list)) {
    const auto& items = object.list->items;
    if (index < 0) index += static_cast<std::int64_t>(items.size());
    return index < 0 || index >= static_cast<std::int64_t>(items.size()) ? Value()
                                                                         : items[static_cast<std::size_t>(index)];
  }
  const std::string_view bytes = object.bytes();
  arena.charge_steps(bytes.size() / 16);
  if (index < 0) index += static_cast<std::int64_t>(character_count(bytes));
  if (index < 0) return {};
  const std::size_t offset = offset_of_character(bytes, static_cast<std::size_t>(index));
  if (offset >= bytes.size()) return {};
  return arena.text(slice(*object.text, offset, character_size(bytes.substr(offset))));
}

[[noreturn]] void fail_undefined(std::string_view what) {
  throw TemplateError(fmt::format("cannot read {} of an undefined value", what));
}

struct Bounds {
  std::int64_t start;
  std::int64_t stop;
  std::int64_t step;
};

// Python's slice.indices(count).
Bounds bounds_of(const Value& start, const Value& stop, const Value& step, std::int64_t count) {
  const auto given = [](const Value& value) { return !value.is(Kind::undefined) && !value.is(Kind::none); };
  const std::int64_t by = given(step) ? to_integer(step, "a slice's step") : 1;
  if (by == 0) throw TemplateError("a slice's step cannot be 0");
  const std::int64_t low = by > 0 ? 0 : -1;
  const std::int64_t high = by > 0 ? count : count - 1;
  const auto clamp = [&](const Value& value, std::int64_t fallback) {
    if (!given(value)) return fallback;
    std::int64_t at = to_integer(value, "a slice's bound");
    if (at < 0) at = at < -count ? low : at + count;
    return std::clamp(at, low, std::max(low, high));
  };
  return {clamp(start, by > 0 ? low : high), clamp(stop, by > 0 ? high : low), by};
}

}  // namespace

Value get_attribute(const Value& object, std::string_view name, Arena& arena) {
  if (object.is(Kind::undefined)) fail_undefined(fmt::format("'{}'", name));
  if (object.is(Kind::loop)) {
    const Value value = loop_attribute(*object.loop, name);
    if (!value.is(Kind::undefined)) return value;
  }
  if (object.is(Kind::dict) && object.dict->is_namespace) {
    const Value* value = object.dict->find(name);
    return value == nullptr ? Value() : *value;
  }
  if (is_method(object, name)) {
    return arena.callable({.kind = Callable::Kind::method, .name = name, .object = object});
  }
  if (!object.is(Kind::dict)) return {};
  arena.charge_steps(object.dict->entries.size() / 16);
  const Value* value = object.dict->find(name);
  return value == nullptr ? Value() : *value;
}

Value get_item(const Value& object, const Value& key, Arena& arena) {
  if (object.is(Kind::undefined)) fail_undefined("an item");
  if (object.is(Kind::dict)) {
    arena.charge_steps(object.dict->entries.size() / 16);
    if (const Value* value = object.dict->find(key)) return *value;
  } else if (object.is(Kind::list) || object.is(Kind::text)) {
    const Value value = element(object, key, arena);
    if (!value.is(Kind::undefined)) return value;
  }
  if (key.is(Kind::text)) return get_attribute(object, key.bytes(), arena);
  return {};
}

Value get_slice(const Value& object, const Value& start, const Value& stop, const Value& step, Arena& arena) {
  if (object.is(Kind::list)) {
    const auto& items = object.list->items;
    const Bounds bounds = bounds_of(start, stop, step, static_cast<std::int64_t>(items.size()));
    std::vector<Value> out;
    arena.charge_steps(items.size());
    for (std::int64_t i = bounds.start; bounds.step > 0 ? i < bounds.stop : i > bounds.stop;) {
      out.push_back(items[static_cast<std::size_t>(i)]);
      if (__builtin_add_overflow(i, bounds.step, &i)) break;
    }
    return arena.list(std::move(out), object.list->is_tuple);
  }
  if (!object.is(Kind::text)) throw TemplateError(fmt::format("cannot take a slice of {}", kind_name(object)));
  const std::string_view bytes = object.bytes();
  arena.charge_steps(bytes.size() / 16);
  const Bounds bounds = bounds_of(start, stop, step, static_cast<std::int64_t>(character_count(bytes)));
  if (bounds.step == 1) {
    if (bounds.start >= bounds.stop) return arena.text("", true);
    const std::size_t from = offset_of_character(bytes, static_cast<std::size_t>(bounds.start));
    const std::size_t size =
        offset_of_character(bytes.substr(from), static_cast<std::size_t>(bounds.stop - bounds.start));
    return arena.text(slice(*object.text, from, size));
  }
  const std::vector<Value> characters = iterate(object, arena);
  TextBuilder out;
  for (std::int64_t i = bounds.start; bounds.step > 0 ? i < bounds.stop : i > bounds.stop;) {
    out.append(*characters[static_cast<std::size_t>(i)].text);
    if (__builtin_add_overflow(i, bounds.step, &i)) break;
  }
  return arena.text(std::move(out));
}

}  // namespace stint::chat_template
