#include "engine/template/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/template/code_point.h"
#include "engine/template/limits.h"
#include "engine/template/operators.h"
#include "engine/template/stable_order.h"
#include "platform/base/utf8.h"

namespace stint::chat_template {
namespace {

class JsonParser {
 public:
  JsonParser(std::string_view json, Arena& arena) : json_(json), arena_(arena) {}

  Value parse() {
    const Value value = parse_value(0);
    skip_spaces();
    if (position_ != json_.size()) fail("something stands behind the value");
    return value;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw TemplateError(fmt::format("JSON text, byte {}: {}", position_, what));
  }
  char peek() const { return position_ < json_.size() ? json_[position_] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++position_;
  }
  bool accept_word(std::string_view word) {
    if (!json_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  Value parse_value(std::size_t depth);
  Value parse_string();
  void append_escape(std::string& out);
  std::uint32_t parse_hex();
  Value parse_number();
  Value parse_array(std::size_t depth);
  Value parse_object(std::size_t depth);

  std::string_view json_;
  Arena& arena_;
  std::size_t position_ = 0;
};

Value JsonParser::parse_value(std::size_t depth) {
  if (depth > kNestingMax) fail("nested too deeply");
  skip_spaces();
  if (peek() == '{') return parse_object(depth);
  if (peek() == '[') return parse_array(depth);
  if (peek() == '"') return parse_string();
  if (accept_word("true")) return Value::of(true);
  if (accept_word("false")) return Value::of(false);
  if (accept_word("null")) return Value::none();
  return parse_number();
}

Value JsonParser::parse_object(std::size_t depth) {
  ++position_;
  const Value value = arena_.dict();
  skip_spaces();
  if (accept('}')) return value;
  do {
    skip_spaces();
    if (peek() != '"') fail("a key is expected");
    const Value key = parse_string();
    skip_spaces();
    if (!accept(':')) fail("':' is expected");
    arena_.set(*value.dict, key, parse_value(depth + 1));
    skip_spaces();
  } while (accept(','));
  if (!accept('}')) fail("'}' is expected");
  return value;
}

Value JsonParser::parse_array(std::size_t depth) {
  ++position_;
  const Value value = arena_.list({});
  skip_spaces();
  if (accept(']')) return value;
  do {
    arena_.push(*value.list, parse_value(depth + 1));
    skip_spaces();
  } while (accept(','));
  if (!accept(']')) fail("']' is expected");
  return value;
}

Value JsonParser::parse_string() {
  ++position_;
  const std::size_t start = position_;
  const std::size_t plain_end = std::min(json_.find_first_of("\"\\", start), json_.size());
  Text text;
  text.trusted = false;
  if (plain_end < json_.size() && json_[plain_end] == '"') {
    position_ = plain_end + 1;
    text.bytes = json_.substr(start, plain_end - start);
    return arena_.text(std::move(text));
  }
  std::string bytes;
  while (peek() != '"') {
    const std::size_t end = std::min(json_.find_first_of("\"\\", position_), json_.size());
    bytes += json_.substr(position_, end - position_);
    position_ = end;
    if (position_ >= json_.size()) fail("a string is not closed");
    if (peek() == '\\') append_escape(bytes);
  }
  ++position_;
  return arena_.text(bytes, false);
}

std::uint32_t JsonParser::parse_hex() {
  std::uint32_t code = 0;
  const std::string_view digits = json_.substr(std::min(position_, json_.size()), 4);
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != 4 || parsed.ptr != digits.data() + 4) fail("a bad \\u escape");
  position_ += 4;
  return code;
}

void JsonParser::append_escape(std::string& out) {
  constexpr std::string_view kLetters = "nrtbf/\\\"";
  constexpr std::string_view kMeanings = "\n\r\t\b\f/\\\"";
  ++position_;
  const char letter = peek();
  ++position_;
  if (const std::size_t known = kLetters.find(letter); letter != '\0' && known != std::string_view::npos) {
    out.push_back(kMeanings[known]);
    return;
  }
  if (letter != 'u') fail("a bad escape");
  std::uint32_t code = parse_hex();
  if (code >= 0xd800 && code < 0xdc00 && accept_word("\\u")) {
    const std::uint32_t low = parse_hex();
    code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
  }
  append_utf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
}

Value JsonParser::parse_number() {
  const std::size_t end = std::min(json_.find_first_not_of("+-.0123456789eE", position_), json_.size());
  const std::string_view digits = json_.substr(position_, end - position_);
  std::int64_t integer = 0;
  double real = 0;
  const char* last = digits.data() + digits.size();
  const auto as_integer = std::from_chars(digits.data(), last, integer);
  if (!digits.empty() && as_integer.ec == std::errc{} && as_integer.ptr == last) {
    position_ = end;
    return Value::of(integer);
  }
  const auto as_real = std::from_chars(digits.data(), last, real);
  if (digits.empty() || as_real.ec != std::errc{} || as_real.ptr != last) fail("a value is expected");
  position_ = end;
  return Value::of(real);
}

void append_escaped(TextBuilder& out, std::string_view part, bool trusted, bool ascii_only) {
  constexpr std::string_view kLetters = "\n\r\t\b\f\\\"";
  constexpr std::string_view kEscapes = "nrtbf\\\"";
  std::string escaped;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const char c = part[i];
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
      escaped += {'\\', kEscapes[known]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      escaped += fmt::format("\\u{:04x}", c);
    } else if (ascii_only && static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t size = base::utf8_sequence_size(part.substr(i));
      const std::uint32_t code = size == 0 ? 0xfffd : decode_utf8(part.substr(i, size));
      if (code < 0x10000) {
        escaped += fmt::format("\\u{:04x}", code);
      } else {
        escaped += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
      }
      i += size == 0 ? 0 : size - 1;
    } else {
      escaped += c;
    }
  }
  out.append(escaped, trusted);
}

void append_string(TextBuilder& out, const Text& text, const JsonStyle& style) {
  out.append("\"", true);
  text.for_each_run([&](std::string_view part, bool trusted) { append_escaped(out, part, trusted, style.ascii_only); });
  out.append("\"", true);
}

void append_line(TextBuilder& out, const JsonStyle& style, std::size_t depth, Arena& arena) {
  if (style.indent < 0) return;
  const std::size_t size = depth * static_cast<std::size_t>(style.indent);
  arena.charge_bytes(size + 1);
  out.append("\n" + std::string(size, ' '), true);
}

void append_key(TextBuilder& out, const Value& key, const JsonStyle& style, Arena& arena, std::size_t depth) {
  if (key.is(Kind::text)) {
    arena.charge_bytes(2 * key.text->size());
    return append_string(out, *key.text, style);
  }
  out.append("\"", true);
  append_json(out, key, style, arena, depth);
  out.append("\"", true);
}

void append_dict(TextBuilder& out, const Dict& dict, const JsonStyle& style, Arena& arena, std::size_t depth) {
  const auto sorted = stable_order(dict.entries.size(), [&](std::size_t a, std::size_t b) {
    return style.sort_keys && order(dict.entries[a].key, dict.entries[b].key, arena) < 0;
  });
  out.append("{", true);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Dict::Entry& entry = dict.entries[sorted[i]];
    if (i > 0) out.append(style.item_separator, true);
    append_line(out, style, depth + 1, arena);
    append_key(out, entry.key, style, arena, depth);
    out.append(style.key_separator, true);
    append_json(out, entry.value, style, arena, depth + 1);
  }
  if (!sorted.empty()) append_line(out, style, depth, arena);
  out.append("}", true);
}

void append_list(TextBuilder& out, const List& list, const JsonStyle& style, Arena& arena, std::size_t depth) {
  out.append("[", true);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) out.append(style.item_separator, true);
    append_line(out, style, depth + 1, arena);
    append_json(out, list.items[i], style, arena, depth + 1);
  }
  if (!list.items.empty()) append_line(out, style, depth, arena);
  out.append("]", true);
}

std::string json_real(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return print_real(value);
}

}  // namespace

Value parse_json(std::string_view json, Arena& arena) {
  return JsonParser(json, arena).parse();
}

void append_json(TextBuilder& out, const Value& value, const JsonStyle& style, Arena& arena, std::size_t depth) {
  if (depth > kNestingMax) throw TemplateError("a value is nested too deeply to write as JSON");
  arena.charge_steps(1);
  arena.charge_bytes(8);
  switch (value.kind) {
    case Kind::none:
      return out.append("null", true);
    case Kind::boolean:
      return out.append(value.boolean ? "true" : "false", true);
    case Kind::integer:
      return out.append(fmt::format("{}", value.integer), true);
    case Kind::real:
      return out.append(json_real(value.real), true);
    case Kind::text:
      arena.charge_bytes(2 * value.text->size());
      return append_string(out, *value.text, style);
    case Kind::list:
      return append_list(out, *value.list, style, arena, depth);
    case Kind::dict:
      return append_dict(out, *value.dict, style, arena, depth);
    default:
      throw TemplateError(fmt::format("cannot write {} as JSON", kind_name(value)));
  }
}

}  // namespace stint::chat_template
