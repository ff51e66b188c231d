// What Jinja2 gives for the same sources, recorded by bench/agreement/chat_templates.py --goldens.
#include "engine/template/interpreter.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fakes/template_source.h"

namespace stint::chat_template {
namespace {

TEST(Interpreter, gives_what_jinja2_gives) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "goldens.jsonl";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::string line;
  std::size_t count = 0;
  while (std::getline(file, line)) {
    Arena arena(kMadeSizeMax);
    const Value golden = parse_json(line, arena);
    TextBuilder context;
    append_json(context, *golden.dict->find("context"), {}, arena);
    const std::string source(golden.dict->find("source")->bytes());
    const auto rendered = fakes::render_source(source, context.take_bytes());
    if (golden.dict->find("fails") != nullptr) {
      EXPECT_NE(rendered.error, "") << source << "\ngave " << rendered.text;
    } else {
      EXPECT_EQ(rendered.error, "") << source;
      EXPECT_EQ(rendered.text, golden.dict->find("text")->bytes()) << source;
    }
    ++count;
  }
  EXPECT_GT(count, 120U);
}

}  // namespace
}  // namespace stint::chat_template
