// The functions every template finds: range, namespace, dict, raise_exception, strftime_now. Free functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

bool is_function(std::string_view name);
// Requires is_function(name). Throws TemplateError: raise_exception with the message it is given.
Value call_function(std::string_view name, const Arguments& arguments, std::int64_t unix_seconds, Arena& arena);

}  // namespace stint::chat_template
