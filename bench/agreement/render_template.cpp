// render_template: for every line of standard input, a JSON object {"source": Jinja, "context": JSON text}, one line of
// output:
// {"text": ...} or {"error": ...}. Driven by chat_templates.py, which compares with another implementation.
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "tests/fakes/template_source.h"

int main() {
  using namespace stint::chat_template;
  std::string line;
  while (std::getline(std::cin, line)) {
    Arena arena(1ULL << 32);
    const Value request = parse_json(line, arena);
    const auto rendered =
        stint::fakes::render_source(request.dict->find("source")->bytes(), request.dict->find("context")->bytes());
    const bool failed = !rendered.error.empty();
    const Value answer = arena.dict();
    arena.set(*answer.dict, arena.text(failed ? "error" : "text", true),
              arena.text(failed ? rendered.error : rendered.text, true));
    TextBuilder out;
    append_json(out, answer, {}, arena);
    fmt::print("{}\n", out.take_bytes());
    std::fflush(stdout);
  }
  return 0;
}
