// Lexer: cuts Jinja source into tokens, with the whitespace control chat templates are written for (trim_blocks and
// lstrip_blocks on, one newline at the end dropped). Pure; tokens borrow from the source. O(size).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stint::chat_template {

struct Token {
  enum class Kind : std::uint8_t {
    data,            // text between tags, already trimmed
    block_begin,     // {%
    block_end,       // %}
    variable_begin,  // {{
    variable_end,    // }}
    name,
    integer,
    real,
    string,  // without its quotes, escapes as written
    symbol,  // operators and brackets
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 1;
};

// Newlines of other systems as "\n", without the last one: what lex() wants.
std::string normalise_newlines(std::string_view source);

// Throws TemplateError with the line. The last token is `end`.
std::vector<Token> lex(std::string_view source);

}  // namespace stint::chat_template
