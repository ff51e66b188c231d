#include "engine/template/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/template/filters.h"
#include "engine/template/operators.h"
#include "engine/template/text_operations.h"

namespace stint::chat_template {
namespace {

using Condition = bool (*)(const Value& value, const Arguments& arguments, Arena& arena);

const Value& argument(const Arguments& arguments) {
  if (arguments.positional.empty()) throw TemplateError("a test lacks its argument");
  return arguments.positional.front();
}

template <Kind Wanted>
bool is_kind(const Value& value, const Arguments&, Arena&) {
  return value.kind == Wanted;
}

bool is_defined(const Value& value, const Arguments&, Arena&) {
  return !value.is(Kind::undefined);
}
bool is_number(const Value& value, const Arguments&, Arena&) {
  return value.is_number();
}
bool is_true_value(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::boolean) && value.boolean;
}
bool is_false_value(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::boolean) && !value.boolean;
}

bool is_iterable(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::list) || value.is(Kind::dict) || value.is(Kind::text) || value.is(Kind::undefined);
}

bool is_sequence(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::list) || value.is(Kind::dict) || value.is(Kind::text) || value.is(Kind::undefined);
}

bool is_mapping(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::dict) && !value.dict->is_namespace;
}

bool is_odd(const Value& value, const Arguments&, Arena&) {
  return to_integer(value, "odd") % 2 != 0;
}
bool is_even(const Value& value, const Arguments&, Arena&) {
  return to_integer(value, "even") % 2 == 0;
}

bool is_divisible(const Value& value, const Arguments& arguments, Arena& arena) {
  return to_integer(calculate("%", value, argument(arguments), arena), "divisibleby") == 0;
}

bool is_in(const Value& value, const Arguments& arguments, Arena& arena) {
  return contains(argument(arguments), value, arena);
}

bool is_equal(const Value& value, const Arguments& arguments, Arena& arena) {
  return equal(value, argument(arguments), arena);
}

bool is_same(const Value& value, const Arguments& arguments, Arena& arena) {
  return value.kind == argument(arguments).kind && equal(value, argument(arguments), arena);
}

bool is_not_equal(const Value& value, const Arguments& arguments, Arena& arena) {
  return !equal(value, argument(arguments), arena);
}

template <bool Less, bool Equal, bool Greater>
bool is_ordered(const Value& value, const Arguments& arguments, Arena& arena) {
  const int compared = order(value, argument(arguments), arena);
  return compared < 0 ? Less : (compared > 0 ? Greater : Equal);
}

bool is_upper(const Value& value, const Arguments&, Arena& arena) {
  const Text& text = to_text(value, arena);
  return text.bytes == to_upper(text, arena).bytes() && text.bytes != to_lower(text, arena).bytes();
}

bool is_lower(const Value& value, const Arguments&, Arena& arena) {
  const Text& text = to_text(value, arena);
  return text.bytes == to_lower(text, arena).bytes() && text.bytes != to_upper(text, arena).bytes();
}

bool is_filter_name(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::text) && is_filter(value.bytes());
}

bool is_test_name(const Value& value, const Arguments&, Arena&) {
  return value.is(Kind::text) && is_condition(value.bytes());
}

struct Entry {
  std::string_view name;
  Condition condition;
};

constexpr std::array kConditions{
    Entry{"defined", is_defined},
    Entry{"undefined", is_kind<Kind::undefined>},
    Entry{"none", is_kind<Kind::none>},
    Entry{"boolean", is_kind<Kind::boolean>},
    Entry{"true", is_true_value},
    Entry{"false", is_false_value},
    Entry{"integer", is_kind<Kind::integer>},
    Entry{"float", is_kind<Kind::real>},
    Entry{"number", is_number},
    Entry{"string", is_kind<Kind::text>},
    Entry{"mapping", is_mapping},
    Entry{"iterable", is_iterable},
    Entry{"sequence", is_sequence},
    Entry{"callable", is_kind<Kind::callable>},
    Entry{"odd", is_odd},
    Entry{"even", is_even},
    Entry{"divisibleby", is_divisible},
    Entry{"in", is_in},
    Entry{"eq", is_equal},
    Entry{"equalto", is_equal},
    Entry{"==", is_equal},
    Entry{"sameas", is_same},
    Entry{"ne", is_not_equal},
    Entry{"!=", is_not_equal},
    Entry{"lt", is_ordered<true, false, false>},
    Entry{"lessthan", is_ordered<true, false, false>},
    Entry{"<", is_ordered<true, false, false>},
    Entry{"le", is_ordered<true, true, false>},
    Entry{"<=", is_ordered<true, true, false>},
    Entry{"gt", is_ordered<false, false, true>},
    Entry{"greaterthan", is_ordered<false, false, true>},
    Entry{">", is_ordered<false, false, true>},
    Entry{"ge", is_ordered<false, true, true>},
    Entry{">=", is_ordered<false, true, true>},
    Entry{"upper", is_upper},
    Entry{"lower", is_lower},
    Entry{"filter", is_filter_name},
    Entry{"test", is_test_name},
};

}  // namespace

bool is_condition(std::string_view name) {
  return std::ranges::find(kConditions, name, &Entry::name) != kConditions.end();
}

bool check_condition(std::string_view name, const Value& value, const Arguments& arguments, Arena& arena) {
  arena.charge_steps(1);
  const auto* found = std::ranges::find(kConditions, name, &Entry::name);
  if (found == kConditions.end()) throw TemplateError(fmt::format("the test '{}' is not supported", name));
  return found->condition(value, arguments, arena);
}

}  // namespace stint::chat_template
