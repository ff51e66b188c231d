// What stands behind `is`: defined, none, string, equalto, ... Free functions.
#pragma once

#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

bool is_condition(std::string_view name);
// Throws TemplateError on missing arguments and for tests that do not exist.
bool check_condition(std::string_view name, const Value& value, const Arguments& arguments, Arena& arena);

}  // namespace stint::chat_template
