// Parser: Jinja source to its parsed form. Pure; O(size); recursion bounded by kNestingMax.
#pragma once

#include <memory>
#include <string_view>

#include "engine/template/ast.h"

namespace stint::chat_template {

// Throws TemplateError with line and cause.
std::unique_ptr<const Syntax> parse_template(std::string_view source);

}  // namespace stint::chat_template
