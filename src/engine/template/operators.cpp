#include "engine/template/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/template/limits.h"

namespace stint::chat_template {
namespace {

bool equal_at(const Value& a, const Value& b, Arena& arena, std::size_t depth) {
  if (depth > kNestingMax) throw TemplateError("values are nested too deeply to compare");
  arena.charge_steps(1);
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::text:
      arena.charge_steps(a.text->size() / 64);
      return a.bytes() == b.bytes();
    case Kind::list:
      return std::ranges::equal(a.list->items, b.list->items,
                                [&](const Value& x, const Value& y) { return equal_at(x, y, arena, depth + 1); });
    case Kind::dict:
      if (a.dict->entries.size() != b.dict->entries.size()) return false;
      return std::ranges::all_of(a.dict->entries, [&](const Dict::Entry& entry) {
        const Value* other = b.dict->find(entry.key);
        return other != nullptr && equal_at(entry.value, *other, arena, depth + 1);
      });
    case Kind::loop:
      return a.loop == b.loop;
    case Kind::callable:
      return a.callable == b.callable;
    default:
      return true;
  }
}

int sign(bool less, bool greater) {
  return less ? -1 : (greater ? 1 : 0);
}

int order_at(const Value& a, const Value& b, Arena& arena, std::size_t depth) {
  if (depth > kNestingMax) throw TemplateError("values are nested too deeply to compare");
  arena.charge_steps(1);
  if (a.is_number() && b.is_number()) {
    if (a.is(Kind::integer) && b.is(Kind::integer)) return sign(a.integer<b.integer, a.integer> b.integer);
    return sign(a.as_real() < b.as_real(), a.as_real() > b.as_real());
  }
  if (a.is(Kind::text) && b.is(Kind::text)) {
    arena.charge_steps(a.text->size() / 64);
    const int compared = a.bytes().compare(b.bytes());
    return sign(compared < 0, compared > 0);
  }
  if (a.is(Kind::list) && b.is(Kind::list)) {
    const std::size_t count = std::min(a.list->items.size(), b.list->items.size());
    for (std::size_t i = 0; i < count; ++i) {
      const int compared = order_at(a.list->items[i], b.list->items[i], arena, depth + 1);
      if (compared != 0) return compared;
    }
    return sign(a.list->items.size() < b.list->items.size(), a.list->items.size() > b.list->items.size());
  }
  throw TemplateError(fmt::format("cannot order {} and {}", kind_name(a), kind_name(b)));
}

}  // namespace

bool is_true(const Value& value) {
  switch (value.kind) {
    case Kind::undefined:
    case Kind::none:
      return false;
    case Kind::boolean:
      return value.boolean;
    case Kind::integer:
      return value.integer != 0;
    case Kind::real:
      return value.real != 0;
    case Kind::text:
      return value.text->size() > 0;
    case Kind::list:
      return !value.list->items.empty();
    case Kind::dict:
      return value.dict->is_namespace || !value.dict->entries.empty();
    default:
      return true;
  }
}

bool equal_numbers(const Value& a, const Value& b) {
  if (a.is(Kind::integer) && b.is(Kind::integer)) return a.integer == b.integer;
  return a.as_real() == b.as_real();
}

bool equal(const Value& a, const Value& b, Arena& arena) {
  return equal_at(a, b, arena, 0);
}

int order(const Value& a, const Value& b, Arena& arena) {
  return order_at(a, b, arena, 0);
}

bool contains(const Value& container, const Value& needle, Arena& arena) {
  switch (container.kind) {
    case Kind::text:
      if (!needle.is(Kind::text)) throw TemplateError("only a string can be in a string");
      arena.charge_steps(container.text->size() / 64);
      return container.bytes().find(needle.bytes()) != std::string_view::npos;
    case Kind::list:
      return std::ranges::any_of(container.list->items, [&](const Value& v) { return equal(v, needle, arena); });
    case Kind::dict:
      arena.charge_steps(container.dict->entries.size() / 16);
      return container.dict->find(needle) != nullptr;
    case Kind::undefined:
      return false;
    default:
      throw TemplateError(fmt::format("'in' needs a string, list or dict, not {}", kind_name(container)));
  }
}

std::string_view kind_name(const Value& value) {
  switch (value.kind) {
    case Kind::undefined:
      return "an undefined value";
    case Kind::none:
      return "none";
    case Kind::boolean:
      return "a boolean";
    case Kind::integer:
      return "an integer";
    case Kind::real:
      return "a float";
    case Kind::text:
      return "a string";
    case Kind::list:
      return "a list";
    case Kind::dict:
      return "a dict";
    case Kind::loop:
      return "a loop";
    default:
      return "a function";
  }
}

std::vector<Value> iterate(const Value& value, Arena& arena) {
  std::vector<Value> out;
  switch (value.kind) {
    case Kind::undefined:
      return out;
    case Kind::list:
      arena.charge_steps(value.list->items.size());
      return value.list->items;
    case Kind::dict:
      arena.charge_steps(value.dict->entries.size());
      for (const Dict::Entry& entry : value.dict->entries) out.push_back(entry.key);
      return out;
    case Kind::text: {
      const std::string_view bytes = value.bytes();
      for (std::size_t offset = 0; offset < bytes.size();) {
        const std::size_t size = character_size(bytes.substr(offset));
        out.push_back(arena.text(slice(*value.text, offset, size)));
        offset += size;
      }
      return out;
    }
    default:
      throw TemplateError(fmt::format("cannot loop over {}", kind_name(value)));
  }
}

std::int64_t to_integer(const Value& value, std::string_view what) {
  if (value.is(Kind::integer)) return value.integer;
  if (value.is(Kind::boolean)) return value.boolean ? 1 : 0;
  throw TemplateError(fmt::format("{} must be an integer, not {}", what, kind_name(value)));
}

Value negate(const Value& value) {
  if (value.is(Kind::real)) return Value::of(-value.real);
  const std::int64_t number = to_integer(value, "the operand of '-'");
  if (number == std::numeric_limits<std::int64_t>::min()) throw TemplateError("an integer is out of range");
  return Value::of(-number);
}

}  // namespace stint::chat_template
