// The methods of strings, lists and dicts that templates call. Free functions; throw TemplateError on wrong use.
#pragma once

#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

bool is_method(const Value& object, std::string_view name);
// Requires is_method(object, name).
Value call_method(const Value& object, std::string_view name, const Arguments& arguments, Arena& arena);
// The pairs of a dict, as dict.items() and the filter `items` give them.
Value dict_items(const Dict& dict, Arena& arena);

}  // namespace stint::chat_template
