#include "engine/template/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/template/operators.h"
#include "engine/template/text_operations.h"

namespace stint::chat_template {
namespace {

using Method = Value (*)(const Value& object, const Arguments& arguments, Arena& arena);

struct Entry {
  std::string_view name;
  Method method;
};

// Argument `index` as a text; nullptr if it is missing or none.
const Text* text_argument(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  if (value == nullptr || value->is(Kind::none)) return nullptr;
  if (!value->is(Kind::text))
    throw TemplateError(fmt::format("'{}' must be a string, not {}", name, kind_name(*value)));
  return value->text;
}

const Text& required_text(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Text* text = text_argument(arguments, index, name);
  if (text == nullptr) throw TemplateError(fmt::format("the argument '{}' is missing", name));
  return *text;
}

const Value& required(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  if (value == nullptr) throw TemplateError(fmt::format("the argument '{}' is missing", name));
  return *value;
}

std::int64_t count_argument(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  const std::int64_t count = value == nullptr ? -1 : to_integer(*value, name);
  return count < 0 ? kAll : count;
}

bool starts(std::string_view bytes, std::string_view part) {
  return bytes.starts_with(part);
}
bool ends(std::string_view bytes, std::string_view part) {
  return bytes.ends_with(part);
}

// startswith and endswith take one string or a tuple of them.
template <bool (*Matches)(std::string_view, std::string_view)>
Value matches_affix(const Value& object, const Arguments& arguments, Arena&) {
  const Value& affix = required(arguments, 0, "prefix");
  if (affix.is(Kind::text)) return Value::of(Matches(object.bytes(), affix.bytes()));
  if (!affix.is(Kind::list)) throw TemplateError(fmt::format("a prefix must be a string, not {}", kind_name(affix)));
  return Value::of(std::ranges::any_of(affix.list->items, [&](const Value& item) {
    return item.is(Kind::text) && Matches(object.bytes(), item.bytes());
  }));
}

template <bool Left, bool Right>
Value strip_method(const Value& object, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(object.text->size() / 64);
  return arena.text(strip(*object.text, text_argument(arguments, 0, "chars"), Left, Right));
}

Value split_method(const Value& object, const Arguments& arguments, Arena& arena) {
  return split(*object.text, text_argument(arguments, 0, "sep"), count_argument(arguments, 1, "maxsplit"), arena);
}

// From the right: what would be split off first from the left is joined again.
Value rsplit_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const std::int64_t count_max = count_argument(arguments, 1, "maxsplit");
  const Text* separator = text_argument(arguments, 0, "sep");
  const Value parts = split(*object.text, separator, kAll, arena);
  auto& items = parts.list->items;
  if (separator == nullptr || count_max >= static_cast<std::int64_t>(items.size()) - 1) return parts;
  std::size_t tail = 0;
  for (std::size_t i = items.size() - static_cast<std::size_t>(count_max); i < items.size(); ++i) {
    tail += items[i].text->size() + separator->size();
  }
  const Value head = arena.text(slice(*object.text, 0, object.text->size() - tail));
  items.erase(items.begin(), items.end() - count_max);
  items.insert(items.begin(), head);
  return parts;
}

Value splitlines_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const Value* keep = arguments.find(0, "keepends");
  return split_lines(*object.text, keep != nullptr && is_true(*keep), arena);
}

Value replace_method(const Value& object, const Arguments& arguments, Arena& arena) {
  return replace(*object.text, required_text(arguments, 0, "old"), required_text(arguments, 1, "new"),
                 count_argument(arguments, 2, "count"), arena);
}

template <bool FromRight>
Value find_method(const Value& object, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(object.text->size() / 16);
  const std::string_view needle = required_text(arguments, 0, "sub").bytes;
  const std::size_t found = FromRight ? object.bytes().rfind(needle) : object.bytes().find(needle);
  if (found == std::string_view::npos) return Value::of(std::int64_t{-1});
  return Value::of(static_cast<std::int64_t>(character_count(object.bytes().substr(0, found))));
}

Value count_method(const Value& object, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(object.text->size() / 16);
  const std::string_view needle = required_text(arguments, 0, "sub").bytes;
  if (needle.empty()) return Value::of(static_cast<std::int64_t>(character_count(object.bytes()) + 1));
  std::int64_t count = 0;
  for (std::size_t at = object.bytes().find(needle); at != std::string_view::npos;
       at = object.bytes().find(needle, at + needle.size())) {
    ++count;
  }
  return Value::of(count);
}

Value join_method(const Value& object, const Arguments& arguments, Arena& arena) {
  TextBuilder out;
  bool first = true;
  for (const Value& item : iterate(required(arguments, 0, "iterable"), arena)) {
    if (!item.is(Kind::text)) throw TemplateError(fmt::format("join needs strings, not {}", kind_name(item)));
    if (!first) append_text(out, object, arena);
    first = false;
    append_text(out, item, arena);
  }
  return arena.text(std::move(out));
}

Value upper_method(const Value& object, const Arguments&, Arena& arena) {
  return to_upper(*object.text, arena);
}
Value lower_method(const Value& object, const Arguments&, Arena& arena) {
  return to_lower(*object.text, arena);
}
Value title_method(const Value& object, const Arguments&, Arena& arena) {
  return to_title(*object.text, false, arena);
}
Value capitalize_method(const Value& object, const Arguments&, Arena& arena) {
  return capitalize(*object.text, arena);
}

Value isdigit_method(const Value& object, const Arguments&, Arena&) {
  const std::string_view bytes = object.bytes();
  return Value::of(!bytes.empty() && std::ranges::all_of(bytes, [](char c) { return c >= '0' && c <= '9'; }));
}

Value isspace_method(const Value& object, const Arguments&, Arena&) {
  return Value::of(object.text->size() > 0 && strip(*object.text, nullptr, true, false).size() == 0);
}

Value removeprefix_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const std::string_view prefix = required_text(arguments, 0, "prefix").bytes;
  if (!object.bytes().starts_with(prefix)) return object;
  return arena.text(slice(*object.text, prefix.size(), object.text->size()));
}

Value removesuffix_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const std::string_view suffix = required_text(arguments, 0, "suffix").bytes;
  if (!object.bytes().ends_with(suffix)) return object;
  return arena.text(slice(*object.text, 0, object.text->size() - suffix.size()));
}

// "{} {1} {name}" without format specifications.
Value format_method(const Value& object, const Arguments& arguments, Arena& arena) {
  TextBuilder out;
  std::size_t used = 0;
  const std::string_view bytes = object.bytes();
  arena.charge_steps(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t special = std::min(bytes.find_first_of("{}", i), bytes.size());
    out.append(slice(*object.text, i, special - i));
    if (special == bytes.size()) break;
    if (bytes.substr(special).starts_with("{{") || bytes.substr(special).starts_with("}}")) {
      out.append(slice(*object.text, special, 1));
      i = special + 2;
      continue;
    }
    const std::size_t end = bytes.find('}', special);
    if (bytes[special] == '}' || end == std::string_view::npos) throw TemplateError("a format string is malformed");
    const std::string_view field = bytes.substr(special + 1, end - special - 1);
    std::size_t index = arguments.positional.size();  // of a name: behind all positions
    if (field.empty()) {
      index = used++;
    } else if (field.front() >= '0' && field.front() <= '9') {
      const auto parsed = std::from_chars(field.data(), field.data() + field.size(), index);
      if (parsed.ptr != field.data() + field.size()) throw TemplateError("a format string is malformed");
    }
    append_text(out, required(arguments, index, field), arena);
    i = end + 1;
  }
  return arena.text(std::move(out));
}

constexpr std::array kTextMethods{
    Entry{"startswith", matches_affix<starts>},
    Entry{"endswith", matches_affix<ends>},
    Entry{"strip", strip_method<true, true>},
    Entry{"lstrip", strip_method<true, false>},
    Entry{"rstrip", strip_method<false, true>},
    Entry{"split", split_method},
    Entry{"rsplit", rsplit_method},
    Entry{"splitlines", splitlines_method},
    Entry{"replace", replace_method},
    Entry{"find", find_method<false>},
    Entry{"rfind", find_method<true>},
    Entry{"count", count_method},
    Entry{"join", join_method},
    Entry{"upper", upper_method},
    Entry{"lower", lower_method},
    Entry{"title", title_method},
    Entry{"capitalize", capitalize_method},
    Entry{"isdigit", isdigit_method},
    Entry{"isspace", isspace_method},
    Entry{"removeprefix", removeprefix_method},
    Entry{"removesuffix", removesuffix_method},
    Entry{"format", format_method},
};

Value append_method(const Value& object, const Arguments& arguments, Arena& arena) {
  arena.push(*object.list, required(arguments, 0, "item"));
  return Value::none();
}

Value extend_method(const Value& object, const Arguments& arguments, Arena& arena) {
  for (const Value& item : iterate(required(arguments, 0, "items"), arena)) arena.push(*object.list, item);
  return Value::none();
}

Value pop_method(const Value& object, const Arguments& arguments, Arena& arena) {
  auto& items = object.list->items;
  const Value* argument = arguments.find(0, "index");
  std::int64_t index = argument == nullptr ? -1 : to_integer(*argument, "index");
  if (index < 0) index += static_cast<std::int64_t>(items.size());
  if (index < 0 || index >= static_cast<std::int64_t>(items.size())) throw TemplateError("pop: no such item");
  arena.charge_steps(items.size() / 16);
  const Value item = items[static_cast<std::size_t>(index)];
  items.erase(items.begin() + index);
  return item;
}

Value count_item_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const Value& wanted = required(arguments, 0, "item");
  return Value::of(static_cast<std::int64_t>(
      std::ranges::count_if(object.list->items, [&](const Value& item) { return equal(item, wanted, arena); })));
}

Value index_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const Value& wanted = required(arguments, 0, "item");
  for (std::size_t i = 0; i < object.list->items.size(); ++i) {
    if (equal(object.list->items[i], wanted, arena)) return Value::of(static_cast<std::int64_t>(i));
  }
  throw TemplateError("index: no such item");
}

constexpr std::array kListMethods{Entry{"append", append_method}, Entry{"extend", extend_method},
                                  Entry{"pop", pop_method}, Entry{"count", count_item_method},
                                  Entry{"index", index_method}};

Value items_method(const Value& object, const Arguments&, Arena& arena) {
  return dict_items(*object.dict, arena);
}

Value keys_method(const Value& object, const Arguments&, Arena& arena) {
  return arena.list(iterate(object, arena));
}

Value values_method(const Value& object, const Arguments&, Arena& arena) {
  std::vector<Value> values;
  for (const Dict::Entry& entry : object.dict->entries) values.push_back(entry.value);
  return arena.list(std::move(values));
}

Value get_method(const Value& object, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(object.dict->entries.size() / 16);
  if (const Value* value = object.dict->find(required(arguments, 0, "key"))) return *value;
  const Value* fallback = arguments.find(1, "default");
  return fallback == nullptr ? Value::none() : *fallback;
}

Value update_method(const Value& object, const Arguments& arguments, Arena& arena) {
  if (!arguments.positional.empty()) {
    const Value& other = arguments.positional[0];
    if (!other.is(Kind::dict)) throw TemplateError("update needs a dict");
    const std::vector<Dict::Entry> entries = other.dict->entries;
    for (const Dict::Entry& entry : entries) arena.set(*object.dict, entry.key, entry.value);
  }
  for (const auto& [name, value] : arguments.keywords) arena.set(*object.dict, arena.text(name, true), value);
  return Value::none();
}

constexpr std::array kDictMethods{Entry{"items", items_method}, Entry{"keys", keys_method},
                                  Entry{"values", values_method}, Entry{"get", get_method},
                                  Entry{"update", update_method}};

// loop.cycle('odd', 'even')
Value cycle_method(const Value& object, const Arguments& arguments, Arena&) {
  if (arguments.positional.empty()) throw TemplateError("loop.cycle needs values");
  return arguments.positional[object.loop->index % arguments.positional.size()];
}

Value changed_method(const Value& object, const Arguments& arguments, Arena& arena) {
  const Value now = arena.list(arguments.positional);
  Loop& loop = *object.loop;
  const bool changed = !loop.has_changed || !equal(loop.last_changed, now, arena);
  loop.has_changed = true;
  loop.last_changed = now;
  return Value::of(changed);
}

constexpr std::array kLoopMethods{Entry{"cycle", cycle_method}, Entry{"changed", changed_method}};

Method find_method_of(const Value& object, std::string_view name) {
  const auto find = [name](const auto& methods) -> Method {
    const auto* found = std::ranges::find(methods, name, &Entry::name);
    return found == methods.end() ? nullptr : found->method;
  };
  switch (object.kind) {
    case Kind::text:
      return find(kTextMethods);
    case Kind::list:
      return find(kListMethods);
    case Kind::dict:
      return find(kDictMethods);
    case Kind::loop:
      return find(kLoopMethods);
    default:
      return nullptr;
  }
}

}  // namespace

Value dict_items(const Dict& dict, Arena& arena) {
  std::vector<Value> pairs;
  for (const Dict::Entry& entry : dict.entries) pairs.push_back(arena.list({entry.key, entry.value}, true));
  return arena.list(std::move(pairs));
}

bool is_method(const Value& object, std::string_view name) {
  return find_method_of(object, name) != nullptr;
}

Value call_method(const Value& object, std::string_view name, const Arguments& arguments, Arena& arena) {
  return find_method_of(object, name)(object, arguments, arena);
}

}  // namespace stint::chat_template
