// append_text(), append_repr() and to_text() of operators.h.
#include <fmt/format.h>

#include <cmath>

#include "engine/template/limits.h"
#include "engine/template/operators.h"

namespace stint::chat_template {
namespace {

void append_quoted(TextBuilder& out, const Text& text) {
  const bool single = text.bytes.find('\'') == std::string_view::npos || text.bytes.find('"') != std::string_view::npos;
  const char quote = single ? '\'' : '"';
  out.append(std::string_view(&quote, 1), true);
  text.for_each_run([&](std::string_view part, bool trusted) {
    std::string escaped;
    for (const char c : part) {
      if (c == '\\' || c == quote) {
        escaped += {'\\', c};
      } else if (c == '\n') {
        escaped += "\\n";
      } else if (c == '\r') {
        escaped += "\\r";
      } else if (c == '\t') {
        escaped += "\\t";
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        escaped += fmt::format("\\x{:02x}", c);
      } else {
        escaped += c;
      }
    }
    out.append(escaped, trusted);
  });
  out.append(std::string_view(&quote, 1), true);
}

void append_items(TextBuilder& out, const List& list, Arena& arena, std::size_t depth) {
  out.append(list.is_tuple ? "(" : "[", true);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) out.append(", ", true);
    append_repr(out, list.items[i], arena, depth + 1);
  }
  if (list.is_tuple && list.items.size() == 1) out.append(",", true);
  out.append(list.is_tuple ? ")" : "]", true);
}

void append_entries(TextBuilder& out, const Dict& dict, Arena& arena, std::size_t depth) {
  out.append(dict.is_namespace ? "<Namespace {" : "{", true);
  bool first = true;
  for (const Dict::Entry& entry : dict.entries) {
    if (!first) out.append(", ", true);
    first = false;
    append_repr(out, entry.key, arena, depth + 1);
    out.append(": ", true);
    append_repr(out, entry.value, arena, depth + 1);
  }
  out.append(dict.is_namespace ? "}>" : "}", true);
}

}  // namespace

std::string print_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

void append_repr(TextBuilder& out, const Value& value, Arena& arena, std::size_t depth) {
  if (depth > kNestingMax) throw TemplateError("a value is nested too deeply to print");
  arena.charge_steps(1);
  arena.charge_bytes(8);
  switch (value.kind) {
    case Kind::undefined:
      return out.append("Undefined", true);
    case Kind::none:
      return out.append("None", true);
    case Kind::boolean:
      return out.append(value.boolean ? "True" : "False", true);
    case Kind::integer:
      return out.append(fmt::format("{}", value.integer), true);
    case Kind::real:
      return out.append(print_real(value.real), true);
    case Kind::text:
      arena.charge_bytes(2 * value.text->size());
      return append_quoted(out, *value.text);
    case Kind::list:
      return append_items(out, *value.list, arena, depth);
    case Kind::dict:
      return append_entries(out, *value.dict, arena, depth);
    default:
      throw TemplateError(fmt::format("cannot print {}", kind_name(value)));
  }
}

void append_text(TextBuilder& out, const Value& value, Arena& arena) {
  if (value.is(Kind::undefined)) return;
  if (!value.is(Kind::text)) return append_repr(out, value, arena);
  arena.charge_steps(1);
  arena.charge_bytes(value.text->size() + value.text->runs.size() * sizeof(Run));
  out.append(*value.text);
}

const Text& to_text(const Value& value, Arena& arena) {
  if (value.is(Kind::text)) return *value.text;
  TextBuilder builder;
  append_text(builder, value, arena);
  return *arena.text(std::move(builder)).text;
}

}  // namespace stint::chat_template
