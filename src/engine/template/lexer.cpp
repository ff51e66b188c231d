#include "engine/template/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/template/value.h"

namespace stint::chat_template {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

constexpr std::array<std::string_view, 6> kLongSymbols{"//", "**", "==", "!=", ">=", "<="};
constexpr std::string_view kSymbols = "+-*/%~<>=.:|,;()[]{}";

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (position_ < source_.size()) lex_data();
    add(Token::Kind::end, {});
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw TemplateError(fmt::format("line {}: {}", line_, what)); }

  std::string_view rest() const { return source_.substr(position_); }
  void add(Token::Kind kind, std::string_view text) { tokens_.push_back({kind, text, line_}); }
  void advance(std::size_t size) {
    line_ += static_cast<std::uint32_t>(std::ranges::count(source_.substr(position_, size), '\n'));
    position_ += size;
  }

  void lex_data();
  void emit_data(std::string_view text, std::string_view tag);
  void lex_comment();
  bool lex_raw();
  void lex_tag(bool variable);
  void lex_token();
  void lex_number();
  void lex_string();
  void lex_symbol();
  std::size_t skip_spaces(std::size_t from) const;
  void finish_tag(std::size_t sign_size, bool strip, bool trim);

  std::string_view source_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  bool at_line_start_ = true;  // what was consumed last ended with a newline
  std::string brackets_;       // open ones inside the tag
  std::vector<Token> tokens_;
};

std::size_t Lexer::skip_spaces(std::size_t from) const {
  while (from < source_.size() && is_space(source_[from])) ++from;
  return from;
}

// The text up to the next tag, and that tag.
void Lexer::lex_data() {
  std::size_t tag = position_;
  for (;; ++tag) {
    tag = source_.find('{', tag);
    if (tag == std::string_view::npos || tag + 1 >= source_.size()) {
      emit_data(rest(), {});
      advance(rest().size());
      return;
    }
    const char next = source_[tag + 1];
    if (next == '{' || next == '%' || next == '#') break;
  }
  emit_data(source_.substr(position_, tag - position_), source_.substr(tag, 3));
  advance(tag - position_);
  if (source_[tag + 1] == '#') return lex_comment();
  if (source_[tag + 1] == '%' && lex_raw()) return;
  lex_tag(source_[tag + 1] == '{');
}

// `tag`: the first characters of the tag that follows, which may strip the text's end.
void Lexer::emit_data(std::string_view text, std::string_view tag) {
  if (tag.size() == 3 && tag[2] == '-') {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  } else if (!tag.empty() && tag[1] != '{' && !(tag.size() == 3 && tag[2] == '+')) {
    const std::size_t line_start = text.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view indent = text.substr(line_start);
    if ((line_start > 0 || at_line_start_) && std::ranges::all_of(indent, is_space)) text = text.substr(0, line_start);
  }
  if (!text.empty()) add(Token::Kind::data, text);
}

// Behind a tag's end: `strip` drops all white space, `trim` one newline.
void Lexer::finish_tag(std::size_t sign_size, bool strip, bool trim) {
  const std::size_t start = position_;
  advance(sign_size);
  if (strip) {
    advance(skip_spaces(position_) - position_);
  } else if (trim && rest().starts_with('\n')) {
    advance(1);
  }
  at_line_start_ = position_ > start && source_[position_ - 1] == '\n';
}

void Lexer::lex_comment() {
  const std::size_t end = source_.find("#}", position_ + 2);
  if (end == std::string_view::npos) fail("the comment is not closed with #}");
  const char sign = end > position_ + 2 ? source_[end - 1] : ' ';
  advance(end - position_);
  finish_tag(2, sign == '-', sign != '+');
}

// {% raw %} ... {% endraw %}; false, with nothing consumed, if another block stands here.
bool Lexer::lex_raw() {
  const auto matches = [&](std::size_t from, std::string_view word, std::size_t& end) {
    std::size_t at = from + 2;
    if (at < source_.size() && (source_[at] == '-' || source_[at] == '+')) ++at;
    at = skip_spaces(at);
    if (!source_.substr(at).starts_with(word)) return false;
    at = skip_spaces(at + word.size());
    end = at;
    if (at < source_.size() && (source_[at] == '-' || source_[at] == '+')) ++at;
    return source_.substr(at).starts_with("%}");
  };
  std::size_t sign = 0;
  if (!matches(position_, "raw", sign)) return false;
  const bool strip = source_[sign] == '-';
  advance(source_.find("%}", sign) - position_);
  finish_tag(2, strip, false);
  for (std::size_t tag = source_.find("{%", position_); tag != std::string_view::npos;
       tag = source_.find("{%", tag + 2)) {
    if (!matches(tag, "endraw", sign)) continue;
    emit_data(source_.substr(position_, tag - position_), source_.substr(tag, 3));
    const char end_sign = source_[sign];
    advance(source_.find("%}", sign) - position_);
    finish_tag(2, end_sign == '-', end_sign != '+');
    return true;
  }
  fail("{% raw %} is not closed with {% endraw %}");
}

void Lexer::lex_tag(bool variable) {
  add(variable ? Token::Kind::variable_begin : Token::Kind::block_begin, source_.substr(position_, 2));
  advance(2);
  if (rest().starts_with('-') || (rest().starts_with('+') && !variable)) advance(1);
  const std::string_view closing = variable ? "}}" : "%}";
  for (;;) {
    advance(skip_spaces(position_) - position_);
    if (rest().empty()) fail(variable ? "{{ is not closed with }}" : "{% is not closed with %}");
    if (brackets_.empty()) {
      const char sign = rest().front();
      const bool has_sign = (sign == '-' || (sign == '+' && !variable)) && rest().substr(1).starts_with(closing);
      if (has_sign || rest().starts_with(closing)) {
        add(variable ? Token::Kind::variable_end : Token::Kind::block_end, closing);
        finish_tag(has_sign ? 3 : 2, has_sign && sign == '-', !variable && !has_sign);
        return;
      }
    }
    lex_token();
  }
}

void Lexer::lex_token() {
  const char c = rest().front();
  if (is_name_start(c)) {
    std::size_t size = 1;
    while (size < rest().size() && is_name_part(rest()[size])) ++size;
    add(Token::Kind::name, rest().substr(0, size));
    advance(size);
  } else if (is_digit(c)) {
    lex_number();
  } else if (c == '\'' || c == '"') {
    lex_string();
  } else {
    lex_symbol();
  }
}

void Lexer::lex_number() {
  const std::string_view text = rest();
  const bool after_dot = !tokens_.empty() && tokens_.back().text == ".";
  std::size_t size = 0;
  bool real = false;
  const auto digits = [&] {
    while (size < text.size() && (is_digit(text[size]) || text[size] == '_')) ++size;
  };
  digits();
  if (!after_dot && size + 1 < text.size() && text[size] == '.' && is_digit(text[size + 1])) {
    real = true;
    ++size;
    digits();
  }
  if (size < text.size() && (text[size] == 'e' || text[size] == 'E')) {
    std::size_t exponent = size + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      real = true;
      size = exponent;
      digits();
    }
  }
  add(real ? Token::Kind::real : Token::Kind::integer, text.substr(0, size));
  advance(size);
}

void Lexer::lex_string() {
  const std::string_view text = rest();
  std::size_t end = 1;
  while (end < text.size() && text[end] != text.front()) end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) fail("a string is not closed");
  add(Token::Kind::string, text.substr(1, end - 1));
  advance(end + 1);
}

void Lexer::lex_symbol() {
  const char c = rest().front();
  for (const std::string_view symbol : kLongSymbols) {
    if (!rest().starts_with(symbol)) continue;
    add(Token::Kind::symbol, rest().substr(0, 2));
    advance(2);
    return;
  }
  if (kSymbols.find(c) == std::string_view::npos) fail(fmt::format("unexpected character {:?}", rest().substr(0, 1)));
  if (c == '(' || c == '[' || c == '{') brackets_.push_back(c == '(' ? ')' : static_cast<char>(c + 2));
  if (c == ')' || c == ']' || c == '}') {
    if (brackets_.empty() || brackets_.back() != c) fail(fmt::format("unexpected '{}'", c));
    brackets_.pop_back();
  }
  add(Token::Kind::symbol, rest().substr(0, 1));
  advance(1);
}

}  // namespace

std::string normalise_newlines(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      out.push_back(source[i]);
      continue;
    }
    out.push_back('\n');
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

std::vector<Token> lex(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace stint::chat_template
