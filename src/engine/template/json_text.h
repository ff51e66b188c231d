// JSON inside templates: tools and arguments come in as JSON text, and `tojson` writes it as Hugging Face's chat
// templates do (Python's json.dumps without escaping other than what JSON needs). Free functions over an Arena.
#pragma once

#include <string_view>

#include "engine/template/value.h"

namespace stint::chat_template {

// All strings of the result are untrusted; they borrow from `json` where they hold no escapes. Throws TemplateError.
Value parse_json(std::string_view json, Arena& arena);

struct JsonStyle {
  int indent = -1;  // spaces a level; negative: one line
  bool sort_keys = false;
  bool ascii_only = false;
  std::string_view item_separator = ", ";
  std::string_view key_separator = ": ";
};

void append_json(TextBuilder& out, const Value& value, const JsonStyle& style, Arena& arena, std::size_t depth = 0);

}  // namespace stint::chat_template
