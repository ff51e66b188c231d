#include "engine/template/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "engine/template/operators.h"

namespace stint::chat_template {
namespace {

constexpr std::size_t kTimeFormatSizeMax = 256;

constexpr std::array<std::string_view, 5> kFunctions{"range", "namespace", "dict", "raise_exception", "strftime_now"};

Value range(const Arguments& arguments, Arena& arena) {
  const auto& given = arguments.positional;
  if (given.empty() || given.size() > 3) throw TemplateError("range takes one to three integers");
  const std::int64_t start = given.size() > 1 ? to_integer(given[0], "range") : 0;
  const std::int64_t stop = to_integer(given.size() > 1 ? given[1] : given[0], "range");
  const std::int64_t step = given.size() > 2 ? to_integer(given[2], "range") : 1;
  if (step == 0) throw TemplateError("the step of a range cannot be 0");
  const Value list = arena.list({});
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    arena.charge_steps(1);
    arena.push(*list.list, Value::of(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return list;
}

Value make_dict(const Arguments& arguments, bool is_namespace, Arena& arena) {
  const Value dict = arena.dict();
  for (const Value& other : arguments.positional) {
    if (!other.is(Kind::dict)) throw TemplateError(fmt::format("cannot make a dict of {}", kind_name(other)));
    for (const Dict::Entry& entry : other.dict->entries) arena.set(*dict.dict, entry.key, entry.value);
  }
  for (const auto& [name, value] : arguments.keywords) arena.set(*dict.dict, arena.text(name, true), value);
  dict.dict->is_namespace = is_namespace;
  return dict;
}

Value strftime_now(const Arguments& arguments, std::int64_t unix_seconds, Arena& arena) {
  const Value* format = arguments.find(0, "format");
  if (format == nullptr || !format->is(Kind::text)) throw TemplateError("strftime_now needs a format");
  const std::string pattern(format->bytes());
  if (pattern.empty() || pattern.size() > kTimeFormatSizeMax) throw TemplateError("strftime_now: an unusable format");
  const auto time = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 4 * kTimeFormatSizeMax> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), pattern.c_str(), &parts);
  return arena.text(std::string_view(text.data(), size), true);
}

}  // namespace

bool is_function(std::string_view name) {
  return std::ranges::find(kFunctions, name) != kFunctions.end();
}

Value call_function(std::string_view name, const Arguments& arguments, std::int64_t unix_seconds, Arena& arena) {
  if (name == "range") return range(arguments, arena);
  if (name == "namespace") return make_dict(arguments, true, arena);
  if (name == "dict") return make_dict(arguments, false, arena);
  if (name == "strftime_now") return strftime_now(arguments, unix_seconds, arena);
  const Value* message = arguments.find(0, "message");
  TextBuilder text;
  if (message != nullptr) append_text(text, *message, arena);
  throw TemplateError("the template says: " + text.take_bytes());
}

}  // namespace stint::chat_template
