// calculate() and format_percent() of operators.h.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/template/operators.h"

namespace stint::chat_template {
namespace {

[[noreturn]] void fail_operands(std::string_view symbol, const Value& left, const Value& right) {
  throw TemplateError(fmt::format("cannot use '{}' on {} and {}", symbol, kind_name(left), kind_name(right)));
}

std::int64_t checked(bool overflow, std::int64_t value) {
  if (overflow) throw TemplateError("an integer is out of range");
  return value;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) throw TemplateError("division by zero");
  if (b == -1)
    return checked(a == std::numeric_limits<std::int64_t>::min(),
                   a == std::numeric_limits<std::int64_t>::min() ? 0 : -a);
  const std::int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  for (; exponent > 0; --exponent) {
    const bool overflow = __builtin_mul_overflow(result, base, &result);
    checked(overflow, result);
  }
  return result;
}

Value calculate_integers(std::string_view symbol, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (symbol == "+") return Value::of(checked(__builtin_add_overflow(a, b, &result), result));
  if (symbol == "-") return Value::of(checked(__builtin_sub_overflow(a, b, &result), result));
  if (symbol == "*") {
    const bool overflow = __builtin_mul_overflow(a, b, &result);
    return Value::of(checked(overflow, result));
  }
  if (symbol == "//") return Value::of(floor_divide(a, b));
  if (symbol == "%") return b == -1 ? Value::of(std::int64_t{0}) : Value::of(a - b * floor_divide(a, b));
  if (symbol == "**" && b >= 0) return Value::of(power(a, b));
  if (symbol == "/" && b == 0) throw TemplateError("division by zero");
  if (symbol == "/") return Value::of(static_cast<double>(a) / static_cast<double>(b));
  return Value::of(std::pow(static_cast<double>(a), static_cast<double>(b)));
}

Value calculate_reals(std::string_view symbol, double a, double b) {
  if (symbol == "+") return Value::of(a + b);
  if (symbol == "-") return Value::of(a - b);
  if (symbol == "*") return Value::of(a * b);
  if (symbol == "**") return Value::of(std::pow(a, b));
  if (b == 0) throw TemplateError("division by zero");
  if (symbol == "/") return Value::of(a / b);
  if (symbol == "//") return Value::of(std::floor(a / b));
  return Value::of(a - b * std::floor(a / b));
}

// Charged before anything is made: a huge count costs nothing.
Value repeat(const Value& value, std::int64_t count, Arena& arena) {
  const bool list = value.is(Kind::list);
  const std::uint64_t size =
      list ? value.list->items.size() * sizeof(Value) : value.text->size() + value.text->runs.size() * sizeof(Run);
  const std::uint64_t times = size == 0 ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  std::uint64_t total = 0;
  if (__builtin_mul_overflow(times, size, &total)) total = std::numeric_limits<std::uint64_t>::max();
  arena.charge_bytes(total);
  if (list) {
    std::vector<Value> items;
    for (std::uint64_t i = 0; i < times; ++i) {
      items.insert(items.end(), value.list->items.begin(), value.list->items.end());
    }
    return arena.list(std::move(items), value.list->is_tuple);
  }
  TextBuilder builder;
  for (std::uint64_t i = 0; i < times; ++i) builder.append(*value.text);
  return arena.text(std::move(builder));
}

bool can_repeat(const Value& value) {
  return value.is(Kind::text) || value.is(Kind::list);
}

Value add(const Value& left, const Value& right, Arena& arena) {
  if (left.is(Kind::text) && right.is(Kind::text)) {
    arena.charge_bytes(left.text->size() + right.text->size());
    TextBuilder builder;
    builder.append(*left.text);
    builder.append(*right.text);
    return arena.text(std::move(builder));
  }
  if (!left.is(Kind::list) || !right.is(Kind::list)) fail_operands("+", left, right);
  arena.charge_bytes((left.list->items.size() + right.list->items.size()) * sizeof(Value));
  std::vector<Value> items = left.list->items;
  items.insert(items.end(), right.list->items.begin(), right.list->items.end());
  return arena.list(std::move(items), left.list->is_tuple);
}

}  // namespace

Value calculate(std::string_view symbol, const Value& left, const Value& right, Arena& arena) {
  if (left.is_number() && right.is_number()) {
    if (left.is(Kind::real) || right.is(Kind::real)) return calculate_reals(symbol, left.as_real(), right.as_real());
    return calculate_integers(symbol, to_integer(left, symbol), to_integer(right, symbol));
  }
  if (symbol == "+") return add(left, right, arena);
  if (symbol == "%" && left.is(Kind::text)) {
    return format_percent(*left.text, right.is(Kind::list) ? right.list->items : std::vector<Value>{right}, arena);
  }
  if (symbol == "*" && can_repeat(left) && right.is(Kind::integer)) return repeat(left, right.integer, arena);
  if (symbol == "*" && can_repeat(right) && left.is(Kind::integer)) return repeat(right, left.integer, arena);
  fail_operands(symbol, left, right);
}

namespace {

// One of %s %r %d %i %f, with precision for %f.
void append_directive(TextBuilder& out, char directive, int precision, const Value& value, Arena& arena) {
  if (directive == 's') return append_text(out, value, arena);
  if (directive == 'r') return append_repr(out, value, arena);
  if (!value.is_number()) throw TemplateError(fmt::format("%{} needs a number, not {}", directive, kind_name(value)));
  if (directive == 'f') return out.append(fmt::format("{:.{}f}", value.as_real(), precision < 0 ? 6 : precision), true);
  if (value.is(Kind::real)) return out.append(fmt::format("{:.0f}", std::trunc(value.real)), true);
  out.append(fmt::format("{}", to_integer(value, "%d")), true);
}

}  // namespace

Value format_percent(const Text& format, const std::vector<Value>& values, Arena& arena) {
  constexpr std::string_view kDirectives = "srdif";
  TextBuilder out;
  std::size_t used = 0;
  std::size_t copied = 0;
  const std::string_view bytes = format.bytes;
  arena.charge_steps(bytes.size() / 16);
  for (std::size_t i = bytes.find('%'); i != std::string_view::npos; i = bytes.find('%', copied)) {
    out.append(slice(format, copied, i - copied));
    int precision = -1;
    if (bytes.substr(i + 1).starts_with('.') && i + 2 < bytes.size() && bytes[i + 2] >= '0' && bytes[i + 2] <= '9') {
      precision = bytes[i + 2] - '0';
      i += 2;
    }
    const char directive = i + 1 < bytes.size() ? bytes[i + 1] : '\0';
    copied = i + 2;
    if (directive == '%') {
      out.append(slice(format, i, 1));
      continue;
    }
    if (kDirectives.find(directive) == std::string_view::npos || (precision >= 0 && directive != 'f')) {
      throw TemplateError("a format string may use %s, %r, %d, %f, %.2f and %%");
    }
    if (used == values.size()) throw TemplateError("a format string has more directives than values");
    append_directive(out, directive, precision, values[used++], arena);
  }
  if (used != values.size()) throw TemplateError("a format string has fewer directives than values");
  out.append(slice(format, copied, bytes.size()));
  return arena.text(std::move(out));
}

}  // namespace stint::chat_template
