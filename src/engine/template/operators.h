// What Python does with values: truth, equality, order, printing, arithmetic, subscripts. Free functions over one
// render's Arena, which is charged for the work. All throw TemplateError where Python raises, and at the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/template/value.h"

namespace stint::chat_template {

bool is_true(const Value& value);
bool equal(const Value& a, const Value& b, Arena& arena);
// Numbers, booleans included, by value; requires both to be numbers.
bool equal_numbers(const Value& a, const Value& b);
// Below, at or above zero as a is before, equal to or behind b: numbers, texts, lists.
int order(const Value& a, const Value& b, Arena& arena);
// `needle in container`.
bool contains(const Value& container, const Value& needle, Arena& arena);

// "string", "integer", ...: for messages.
std::string_view kind_name(const Value& value);
// As Python's str(); undefined prints nothing.
void append_text(TextBuilder& out, const Value& value, Arena& arena);
// As Python's repr(): texts in quotes.
void append_repr(TextBuilder& out, const Value& value, Arena& arena, std::size_t depth = 0);
// The text of any value; a text stays itself.
const Text& to_text(const Value& value, Arena& arena);
// Python's spelling of a float, e.g. "1.0", "1e+16".
std::string print_real(double value);

// + - * / // % **
Value calculate(std::string_view symbol, const Value& left, const Value& right, Arena& arena);
Value negate(const Value& value);
// "%s and %d" with values in place of the directives.
Value format_percent(const Text& format, const std::vector<Value>& values, Arena& arena);

// The elements a for loop sees: items, keys, characters; nothing of an undefined value.
std::vector<Value> iterate(const Value& value, Arena& arena);
std::int64_t to_integer(const Value& value, std::string_view what);

// object.name and object[key]; undefined if there is none. Undefined objects throw.
Value get_attribute(const Value& object, std::string_view name, Arena& arena);
Value get_item(const Value& object, const Value& key, Arena& arena);
// object[start:stop:step]; undefined or none parts are left out. Texts count in characters.
Value get_slice(const Value& object, const Value& start, const Value& stop, const Value& step, Arena& arena);

}  // namespace stint::chat_template
