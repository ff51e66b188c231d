// find_sequence_filter() of filters.h: first, join, map, select, sort, sum, ...
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/template/conditions.h"
#include "engine/template/filters.h"
#include "engine/template/operators.h"
#include "engine/template/stable_order.h"
#include "engine/template/text_operations.h"

namespace stint::chat_template {
namespace {

bool flag(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  return value != nullptr && is_true(*value);
}

// item.a.b for "a.b"; digits are indexes. A missing step makes the rest undefined.
Value follow(const Value& item, std::string_view path, Arena& arena) {
  Value at = item;
  while (!at.is(Kind::undefined)) {
    const std::string_view step = path.substr(0, path.find('.'));
    std::int64_t index = 0;
    const auto parsed = std::from_chars(step.data(), step.data() + step.size(), index);
    const bool numbered = parsed.ec == std::errc{} && parsed.ptr == step.data() + step.size();
    at = get_item(at, numbered ? Value::of(index) : arena.text(step, true), arena);
    if (step.size() == path.size()) break;
    path.remove_prefix(step.size() + 1);
  }
  return at;
}

// The attribute an argument asks for, or the item itself.
Value attribute_of(const Value& item, const Value* attribute, Arena& arena) {
  if (attribute == nullptr || attribute->is(Kind::none)) return item;
  if (attribute->is(Kind::integer)) return get_item(item, *attribute, arena);
  return follow(item, to_text(*attribute, arena).bytes, arena);
}

Value length_filter(const Value& value, const Arguments&, Arena& arena) {
  if (value.is(Kind::text)) {
    arena.charge_steps(value.text->size() / 16);
    return Value::of(static_cast<std::int64_t>(character_count(value.bytes())));
  }
  if (value.is(Kind::list)) return Value::of(static_cast<std::int64_t>(value.list->items.size()));
  if (value.is(Kind::dict)) return Value::of(static_cast<std::int64_t>(value.dict->entries.size()));
  if (value.is(Kind::undefined)) return Value::of(std::int64_t{0});
  throw TemplateError(fmt::format("{} has no length", kind_name(value)));
}

Value list_filter(const Value& value, const Arguments&, Arena& arena) {
  return arena.list(iterate(value, arena));
}

Value first_filter(const Value& value, const Arguments&, Arena& arena) {
  if (value.is(Kind::list)) return value.list->items.empty() ? Value() : value.list->items.front();
  const auto items = iterate(value, arena);
  return items.empty() ? Value() : items.front();
}

Value last_filter(const Value& value, const Arguments&, Arena& arena) {
  if (value.is(Kind::list)) return value.list->items.empty() ? Value() : value.list->items.back();
  const auto items = iterate(value, arena);
  return items.empty() ? Value() : items.back();
}

Value join_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* separator = arguments.find(0, "d");
  const Value* attribute = arguments.find(1, "attribute");
  TextBuilder out;
  bool first = true;
  for (const Value& item : iterate(value, arena)) {
    if (!first && separator != nullptr) append_text(out, *separator, arena);
    first = false;
    append_text(out, attribute_of(item, attribute, arena), arena);
  }
  return arena.text(std::move(out));
}

// Jinja lets map, select and their kin pass over none.
Value map_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  std::vector<Value> out;
  if (!is_true(value)) return arena.list({});
  if (arguments.positional.empty()) {
    const Value* attribute = arguments.find(0, "attribute");
    const Value* fallback = arguments.find(1, "default");
    if (attribute == nullptr) throw TemplateError("map needs a filter or attribute=");
    for (const Value& item : iterate(value, arena)) {
      Value mapped = attribute_of(item, attribute, arena);
      if (mapped.is(Kind::undefined) && fallback != nullptr) mapped = *fallback;
      out.push_back(mapped);
    }
    return arena.list(std::move(out));
  }
  const std::string_view name = to_text(arguments.positional[0], arena).bytes;
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin());
  for (const Value& item : iterate(value, arena)) out.push_back(apply_filter(name, item, rest, arena));
  return arena.list(std::move(out));
}

// select, reject, selectattr, rejectattr: items for which a test holds, or does not.
template <bool Attribute, bool Keep>
Value select_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  if (!is_true(value)) return arena.list({});
  Arguments rest = arguments;
  Value attribute;
  if (Attribute) {
    if (rest.positional.empty()) throw TemplateError("selectattr and rejectattr need an attribute");
    attribute = rest.positional.front();
    rest.positional.erase(rest.positional.begin());
  }
  std::string_view test;
  if (!rest.positional.empty()) {
    test = to_text(rest.positional.front(), arena).bytes;
    rest.positional.erase(rest.positional.begin());
  }
  std::vector<Value> out;
  for (const Value& item : iterate(value, arena)) {
    const Value subject = Attribute ? attribute_of(item, &attribute, arena) : item;
    const bool holds = test.empty() ? is_true(subject) : check_condition(test, subject, rest, arena);
    if (holds == Keep) out.push_back(item);
  }
  return arena.list(std::move(out));
}

Value reverse_filter(const Value& value, const Arguments&, Arena& arena) {
  if (value.is(Kind::text)) return get_slice(value, {}, {}, Value::of(std::int64_t{-1}), arena);
  auto items = iterate(value, arena);
  std::ranges::reverse(items);
  return arena.list(std::move(items));
}

// What sort, unique, min and max compare: the attribute, in small letters unless case matters.
Value sort_key(const Value& item, const Value* attribute, bool case_sensitive, Arena& arena) {
  const Value key = attribute_of(item, attribute, arena);
  return key.is(Kind::text) && !case_sensitive ? to_lower(*key.text, arena) : key;
}

std::vector<Value> sorted(const std::vector<Value>& items, const std::vector<Value>& keys, bool reverse, Arena& arena) {
  const auto order_of = stable_order(items.size(), [&](std::size_t a, std::size_t b) {
    const int compared = order(keys[a], keys[b], arena);
    return reverse ? compared > 0 : compared < 0;
  });
  std::vector<Value> out;
  for (const std::size_t i : order_of) out.push_back(items[i]);
  return out;
}

Value sort_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const auto items = iterate(value, arena);
  const Value* attribute = arguments.find(2, "attribute");
  std::vector<Value> keys;
  for (const Value& item : items) {
    keys.push_back(sort_key(item, attribute, flag(arguments, 1, "case_sensitive"), arena));
  }
  return arena.list(sorted(items, keys, flag(arguments, 0, "reverse"), arena));
}

Value dictsort_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  if (!value.is(Kind::dict)) throw TemplateError(fmt::format("dictsort needs a dict, not {}", kind_name(value)));
  const Value* by = arguments.find(1, "by");
  const bool by_value = by != nullptr && to_text(*by, arena).bytes == "value";
  std::vector<Value> pairs;
  std::vector<Value> keys;
  for (const Dict::Entry& entry : value.dict->entries) {
    pairs.push_back(arena.list({entry.key, entry.value}, true));
    keys.push_back(sort_key(by_value ? entry.value : entry.key, nullptr, flag(arguments, 0, "case_sensitive"), arena));
  }
  return arena.list(sorted(pairs, keys, flag(arguments, 2, "reverse"), arena));
}

Value unique_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* attribute = arguments.find(1, "attribute");
  std::vector<Value> out;
  std::vector<Value> seen;
  for (const Value& item : iterate(value, arena)) {
    const Value key = sort_key(item, attribute, flag(arguments, 0, "case_sensitive"), arena);
    if (std::ranges::any_of(seen, [&](const Value& other) { return equal(other, key, arena); })) continue;
    seen.push_back(key);
    out.push_back(item);
  }
  return arena.list(std::move(out));
}

template <bool Largest>
Value extreme_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* attribute = arguments.find(1, "attribute");
  Value best;
  Value best_key;
  for (const Value& item : iterate(value, arena)) {
    const Value key = sort_key(item, attribute, flag(arguments, 0, "case_sensitive"), arena);
    const bool better =
        best.is(Kind::undefined) || (Largest ? order(key, best_key, arena) > 0 : order(key, best_key, arena) < 0);
    if (!better) continue;
    best = item;
    best_key = key;
  }
  return best;
}

Value sum_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* attribute = arguments.find(0, "attribute");
  const Value* start = arguments.find(1, "start");
  Value sum = start == nullptr ? Value::of(std::int64_t{0}) : *start;
  for (const Value& item : iterate(value, arena))
    sum = calculate("+", sum, attribute_of(item, attribute, arena), arena);
  return sum;
}

Value batch_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* count = arguments.find(0, "linecount");
  const Value* fill = arguments.find(1, "fill_with");
  const std::int64_t size = count == nullptr ? 0 : to_integer(*count, "linecount");
  if (size < 1 || size > 100'000) throw TemplateError("batch needs a count of at least 1");
  std::vector<Value> rows;
  std::vector<Value> row;
  for (const Value& item : iterate(value, arena)) {
    if (row.size() == static_cast<std::size_t>(size)) rows.push_back(arena.list(std::exchange(row, {})));
    row.push_back(item);
  }
  if (!row.empty()) {
    if (fill != nullptr && !fill->is(Kind::none)) row.resize(static_cast<std::size_t>(size), *fill);
    rows.push_back(arena.list(std::move(row)));
  }
  return arena.list(std::move(rows));
}

constexpr std::array kSequenceFilters{
    FilterEntry{"length", length_filter},
    FilterEntry{"count", length_filter},
    FilterEntry{"list", list_filter},
    FilterEntry{"first", first_filter},
    FilterEntry{"last", last_filter},
    FilterEntry{"join", join_filter},
    FilterEntry{"map", map_filter},
    FilterEntry{"select", select_filter<false, true>},
    FilterEntry{"reject", select_filter<false, false>},
    FilterEntry{"selectattr", select_filter<true, true>},
    FilterEntry{"rejectattr", select_filter<true, false>},
    FilterEntry{"reverse", reverse_filter},
    FilterEntry{"sort", sort_filter},
    FilterEntry{"dictsort", dictsort_filter},
    FilterEntry{"unique", unique_filter},
    FilterEntry{"min", extreme_filter<false>},
    FilterEntry{"max", extreme_filter<true>},
    FilterEntry{"sum", sum_filter},
    FilterEntry{"batch", batch_filter},
};

}  // namespace

Filter find_sequence_filter(std::string_view name) {
  const auto* found = std::ranges::find(kSequenceFilters, name, &FilterEntry::name);
  return found == kSequenceFilters.end() ? nullptr : found->filter;
}

}  // namespace stint::chat_template
