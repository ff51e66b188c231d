// What stands behind `|`: trim, join, tojson, selectattr, ... Free functions.
#pragma once

#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

using Filter = Value (*)(const Value& value, const Arguments& arguments, Arena& arena);

struct FilterEntry {
  std::string_view name;
  Filter filter;
};

bool is_filter(std::string_view name);
// Throws TemplateError on wrong use and for filters that do not exist: only where they are reached, so that a template
// may have branches for other engines.
Value apply_filter(std::string_view name, const Value& value, const Arguments& arguments, Arena& arena);

// The filters over sequences; nullptr if the name is none of them.
Filter find_sequence_filter(std::string_view name);

}  // namespace stint::chat_template
