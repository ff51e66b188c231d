#include "engine/template/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/template/json_text.h"
#include "engine/template/methods.h"
#include "engine/template/operators.h"
#include "engine/template/text_operations.h"

namespace stint::chat_template {
namespace {

bool flag(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  return value != nullptr && is_true(*value);
}

const Text& required_text(const Arguments& arguments, std::size_t index, std::string_view name) {
  const Value* value = arguments.find(index, name);
  if (value == nullptr || !value->is(Kind::text)) throw TemplateError(fmt::format("'{}' must be a string", name));
  return *value->text;
}

Value trim_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* characters = arguments.find(0, "chars");
  const bool given = characters != nullptr && characters->is(Kind::text);
  return arena.text(strip(to_text(value, arena), given ? characters->text : nullptr, true, true));
}

Value upper_filter(const Value& value, const Arguments&, Arena& arena) {
  return to_upper(to_text(value, arena), arena);
}
Value lower_filter(const Value& value, const Arguments&, Arena& arena) {
  return to_lower(to_text(value, arena), arena);
}

Value title_filter(const Value& value, const Arguments&, Arena& arena) {
  return to_title(to_text(value, arena), true, arena);
}

Value capitalize_filter(const Value& value, const Arguments&, Arena& arena) {
  return capitalize(to_text(value, arena), arena);
}

Value string_filter(const Value& value, const Arguments&, Arena& arena) {
  return Value::of(&to_text(value, arena));
}

Value same_filter(const Value& value, const Arguments&, Arena&) {
  return value;
}

Value replace_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* count = arguments.find(2, "count");
  const bool given = count != nullptr && count->is(Kind::integer);
  return replace(to_text(value, arena), required_text(arguments, 0, "old"), required_text(arguments, 1, "new"),
                 given ? count->integer : kAll, arena);
}

Value indent_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const Value* width = arguments.find(0, "width");
  Value prefix;
  if (width != nullptr && width->is(Kind::text)) {
    prefix = *width;
  } else {
    const std::int64_t count = width == nullptr ? 4 : to_integer(*width, "width");
    prefix = calculate("*", arena.text(" ", true), Value::of(count), arena);
  }
  return indent(to_text(value, arena), *prefix.text, flag(arguments, 1, "first"), flag(arguments, 2, "blank"), arena);
}

Value format_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  return format_percent(to_text(value, arena), arguments.positional, arena);
}

Value default_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  const bool replaced = value.is(Kind::undefined) || (flag(arguments, 1, "boolean") && !is_true(value));
  if (!replaced) return value;
  const Value* fallback = arguments.find(0, "default_value");
  return fallback == nullptr ? arena.text("", true) : *fallback;
}

// The number a text spells, white space around it allowed; nullopt if it spells none.
template <typename Number>
std::optional<Number> parse_number(const Text& text) {
  std::string_view digits = strip(text, nullptr, true, true).bytes;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Number number{};
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::int64_t truncate(double value) {
  if (!(std::abs(value) < 9.2e18)) throw TemplateError("a number is out of range");
  return static_cast<std::int64_t>(value);
}

Value int_filter(const Value& value, const Arguments& arguments, Arena&) {
  if (value.is_number()) return Value::of(truncate(value.as_real()));
  if (value.is(Kind::text)) {
    if (const auto integer = parse_number<std::int64_t>(*value.text)) return Value::of(*integer);
    if (const auto real = parse_number<double>(*value.text)) return Value::of(truncate(*real));
  }
  const Value* fallback = arguments.find(0, "default");
  return fallback == nullptr ? Value::of(std::int64_t{0}) : *fallback;
}

Value float_filter(const Value& value, const Arguments& arguments, Arena&) {
  if (value.is_number()) return Value::of(value.as_real());
  if (value.is(Kind::text)) {
    if (const auto real = parse_number<double>(*value.text)) return Value::of(*real);
  }
  const Value* fallback = arguments.find(0, "default");
  return fallback == nullptr ? Value::of(0.0) : *fallback;
}

Value abs_filter(const Value& value, const Arguments&, Arena&) {
  if (value.is(Kind::real)) return Value::of(std::abs(value.real));
  return to_integer(value, "abs") < 0 ? negate(value) : Value::of(to_integer(value, "abs"));
}

Value round_filter(const Value& value, const Arguments& arguments, Arena&) {
  if (!value.is_number()) throw TemplateError(fmt::format("cannot round {}", kind_name(value)));
  const Value* precision = arguments.find(0, "precision");
  const Value* method = arguments.find(1, "method");
  const std::string_view how = method == nullptr ? "common" : required_text(arguments, 1, "method").bytes;
  const double scale =
      std::pow(10.0, static_cast<double>(precision == nullptr ? 0 : to_integer(*precision, "precision")));
  const double scaled = value.as_real() * scale;
  const double rounded =
      how == "ceil" ? std::ceil(scaled) : (how == "floor" ? std::floor(scaled) : std::nearbyint(scaled));
  return Value::of(rounded / scale);
}

Value tojson_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  JsonStyle style;
  if (const Value* indent = arguments.find(0, "indent"); indent != nullptr && !indent->is(Kind::none)) {
    style.indent = static_cast<int>(std::clamp<std::int64_t>(to_integer(*indent, "indent"), 0, 16));
  }
  style.sort_keys = flag(arguments, 4, "sort_keys");
  style.ascii_only = flag(arguments, 4, "ensure_ascii");
  TextBuilder out;
  if (const Value* separators = arguments.find(3, "separators"); separators != nullptr && separators->is(Kind::list)) {
    if (separators->list->items.size() != 2) throw TemplateError("tojson needs two separators");
    style.item_separator = to_text(separators->list->items[0], arena).bytes;
    style.key_separator = to_text(separators->list->items[1], arena).bytes;
  } else if (style.indent >= 0) {
    style.item_separator = ",";
  }
  append_json(out, value, style, arena);
  return arena.text(std::move(out));
}

Value items_filter(const Value& value, const Arguments&, Arena& arena) {
  if (value.is(Kind::undefined)) return arena.list({});
  if (!value.is(Kind::dict)) throw TemplateError(fmt::format("items needs a dict, not {}", kind_name(value)));
  return dict_items(*value.dict, arena);
}

Value attr_filter(const Value& value, const Arguments& arguments, Arena& arena) {
  return get_attribute(value, required_text(arguments, 0, "name").bytes, arena);
}

constexpr std::array kFilters{
    FilterEntry{"trim", trim_filter},       FilterEntry{"upper", upper_filter},
    FilterEntry{"lower", lower_filter},     FilterEntry{"title", title_filter},
    FilterEntry{"string", string_filter},   FilterEntry{"capitalize", capitalize_filter},
    FilterEntry{"safe", same_filter},       FilterEntry{"replace", replace_filter},
    FilterEntry{"indent", indent_filter},   FilterEntry{"format", format_filter},
    FilterEntry{"default", default_filter}, FilterEntry{"d", default_filter},
    FilterEntry{"int", int_filter},         FilterEntry{"float", float_filter},
    FilterEntry{"abs", abs_filter},         FilterEntry{"round", round_filter},
    FilterEntry{"tojson", tojson_filter},   FilterEntry{"items", items_filter},
    FilterEntry{"attr", attr_filter},
};

Filter find_filter(std::string_view name) {
  const auto* found = std::ranges::find(kFilters, name, &FilterEntry::name);
  return found == kFilters.end() ? find_sequence_filter(name) : found->filter;
}

}  // namespace

bool is_filter(std::string_view name) {
  return find_filter(name) != nullptr;
}

Value apply_filter(std::string_view name, const Value& value, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(1);
  const Filter filter = find_filter(name);
  if (filter == nullptr) throw TemplateError(fmt::format("the filter '{}' is not supported", name));
  return filter(value, arguments, arena);
}

}  // namespace stint::chat_template
