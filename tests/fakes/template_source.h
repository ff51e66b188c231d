// Runs any Jinja source over variables given as JSON, for tests, fuzzers and comparisons with other implementations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/template/interpreter.h"
#include "engine/template/json_text.h"
#include "engine/template/limits.h"
#include "engine/template/operators.h"
#include "engine/template/parser.h"

namespace stint::fakes {

struct RenderedSource {
  std::string text;
  std::string error;  // empty: none
};

// `context`: a JSON object whose members become variables. strftime_now tells 2024-07-26. The limits are those of
// Arena.
inline RenderedSource render_source(std::string_view source, std::string_view context,
                                    std::uint64_t made_size_max = chat_template::kMadeSizeMax,
                                    std::uint64_t step_count_max = chat_template::kStepCountMax) {
  using namespace chat_template;
  try {
    const auto syntax = parse_template(source);
    Arena arena(made_size_max, step_count_max);
    Interpreter interpreter(arena, 1'721'952'000);
    const Value variables = parse_json(context, arena);
    for (const Dict::Entry& entry : variables.dict->entries) interpreter.set(entry.key.bytes(), entry.value);
    return {interpreter.run(syntax->body).take_bytes(), {}};
  } catch (const TemplateError& error) {
    return {{}, error.what()};
  }
}

}  // namespace stint::fakes
