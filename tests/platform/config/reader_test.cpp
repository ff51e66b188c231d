#include "platform/config/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/load.h"
#include "tests/fakes/fake_environment.h"

namespace stint::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

enum class Mode : std::uint8_t { off, observe, strict };
constexpr std::array<std::string_view, 3> kModeNames{"off", "observe", "strict"};

Document document(std::string_view text) {
  fakes::FakeEnvironment environment;
  environment.variables = {{"SECRET", "hunter2"}, {"THREADS", "3"}};
  return load_text(text, "stint.yaml", environment).value();
}

TEST(Reader, every_type_of_value) {
  Reader reader(
      document("s: text\nb: true\nn: 7\nbig: 18446744073709551615\nr: 5%\nd: 250ms\nz: 4KiB\nm: strict\n"
               "l: [a, 'b c']\no: 9\nq: \"8\"\nf: ${THREADS}\n"));
  Section root = reader.root();
  EXPECT_EQ(root.string("s", {.fallback = "other"}), "text");
  EXPECT_TRUE(root.boolean("b", {}));
  EXPECT_EQ(root.u32("n", {}), 7u);
  EXPECT_EQ(root.u64("big", {}), UINT64_MAX);
  EXPECT_DOUBLE_EQ(root.ratio("r", {}), 0.05);
  EXPECT_EQ(root.duration("d", {}), 250ms);
  EXPECT_EQ(root.byte_size("z", {}), 4096u);
  EXPECT_EQ(root.choice<Mode>("m", kModeNames, {}), Mode::strict);
  EXPECT_THAT(root.strings("l", ""), ElementsAre("a", "b c"));
  EXPECT_EQ(root.optional_u32("o", {}), 9u);
  EXPECT_EQ(root.u32("q", {}), 8u) << "quotes do not matter";
  EXPECT_EQ(root.u32("f", {}), 3u) << "substitution serves every type";
  EXPECT_THAT(reader.problems(), IsEmpty());
  EXPECT_TRUE(reader.finish());
}

TEST(Reader, absent_and_empty_values_give_the_fallback) {
  Reader reader(document("s:\nb: ''\nn: ${UNSET:-}\nd: ~\n"));
  Section root = reader.root();
  EXPECT_EQ(root.string("s", {.fallback = "x"}), "x");
  EXPECT_TRUE(root.boolean("b", {.fallback = true}));
  EXPECT_EQ(root.u32("n", {.fallback = 5}), 5u);
  EXPECT_EQ(root.duration("d", {.fallback = 3s}), 3s);
  EXPECT_EQ(root.byte_size("z", {.fallback = 1024}), 1024u);
  EXPECT_DOUBLE_EQ(root.ratio("r", {.fallback = 0.5}), 0.5);
  EXPECT_EQ(root.choice<Mode>("m", kModeNames, {.fallback = Mode::observe}), Mode::observe);
  EXPECT_EQ(root.optional_string("o", ""), std::nullopt);
  EXPECT_EQ(root.optional_u32("p", {}), std::nullopt);
  EXPECT_THAT(root.strings("l", ""), IsEmpty());
  EXPECT_FALSE(root.has("s"));
  EXPECT_THAT(reader.problems(), IsEmpty());
}

TEST(Reader, faulty_values_are_told_with_line_path_and_value) {
  Reader reader(
      document("engine:\n  threads: lots\n  on: yes\n  wait: 5\n  size: 1MB\n  mode: fast\n  name: [x]\n"
               "  tags: x\n  share: 2\n"));
  Section engine = reader.root().section("engine");
  EXPECT_EQ(engine.u32("threads", {.fallback = 2, .min = 1, .max = 64}), 2u);
  EXPECT_FALSE(engine.boolean("on", {}));
  EXPECT_EQ(engine.duration("wait", {.fallback = 1s, .min = 1s, .max = 60s}), 1s);
  EXPECT_EQ(engine.byte_size("size", {.fallback = 10, .max = 1024}), 10u);
  EXPECT_EQ(engine.choice<Mode>("mode", kModeNames, {}), Mode::off);
  EXPECT_EQ(engine.string("name", {.fallback = "n"}), "n");
  EXPECT_THAT(engine.strings("tags", ""), IsEmpty());
  EXPECT_DOUBLE_EQ(engine.ratio("share", {.fallback = 0.5}), 0.5);
  EXPECT_THAT(
      reader.problems(),
      ElementsAre(
          "stint.yaml:2: engine.threads must be a whole number from 1 to 64, not \"lots\"",
          "stint.yaml:3: engine.on must be true or false, not \"yes\"",
          "stint.yaml:4: engine.wait must be a duration such as 250ms, 30s, 5m, 2h or 7d, from 1s to 1m, not \"5\"",
          "stint.yaml:5: engine.size must be a size such as 512KiB, 256MB or 2GiB, from 0 to 1KiB, not \"1MB\"",
          "stint.yaml:6: engine.mode must be one of off, observe, strict, not \"fast\"",
          "stint.yaml:7: engine.name must be text, not a list",
          "stint.yaml:8: engine.tags must be a list such as [a, b], not \"x\"",
          "stint.yaml:9: engine.share must be a share such as 0.25 or 25%, from 0 to 1, not \"2\""));
}

TEST(Reader, substituted_values_are_never_shown) {
  Reader reader(document("a: ${SECRET}\nb: x${SECRET}\n"));
  Section root = reader.root();
  EXPECT_EQ(root.u32("a", {}), 0u);
  EXPECT_FALSE(root.boolean("b", {}));
  const Result<void> result = reader.finish();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("filled in by substitution"));
  EXPECT_EQ(result.error().message.find("hunter2"), std::string::npos);
}

TEST(Reader, shown_values_are_short_and_printable) {
  Reader reader(document("a: \"\\e[31m" + std::string(100, 'x') + "\"\n"));
  (void)reader.root().u32("a", {.max = 1});
  const std::string expected =
      "stint.yaml:1: a must be a whole number from 0 to 1, not \"?[31m" + std::string(35, 'x') + "...\"";
  EXPECT_THAT(reader.problems(), ElementsAre(expected));
}

TEST(Reader, unknown_keys_are_told_with_the_nearest_known_key) {
  Reader reader(document("listen:\n  adr: x\n  colour: red\nlistem: {}\n"));
  Section listen = reader.root().section("listen");
  (void)listen.string("addr", {});
  (void)listen.string("admin", {});
  EXPECT_THAT(reader.problems(),
              ElementsAre("stint.yaml:2: listen.adr is not a known key; did you mean addr?",
                          "stint.yaml:3: listen.colour is not a known key; the keys here are addr, admin",
                          "stint.yaml:4: listem is not a known key; did you mean listen?"));
}

TEST(Reader, unknown_keys_are_found_inside_lists_and_named_sections) {
  Reader reader(document("keys:\n  - name: a\n    rpn: 1\nmodels:\n  fast: { tu: x }\n"));
  Section root = reader.root();
  root.each_section("keys", "", [](Section key) {
    (void)key.string("name", {});
    (void)key.u32("rpm", {});
  });
  root.each_named_section("models", "", [](const std::string&, Section model) { (void)model.string("to", {}); });
  EXPECT_THAT(reader.problems(), ElementsAre("stint.yaml:3: keys[0].rpn is not a known key; did you mean rpm?",
                                             "stint.yaml:5: models.fast.tu is not a known key; did you mean to?"));
}

TEST(Reader, lists_of_sections_and_named_sections_are_read_in_order) {
  Reader reader(document("keys:\n  - name: a\n  - name: b\nmodels:\n  z: { to: 1 }\n  y:\n"));
  Section root = reader.root();
  std::vector<std::string> seen;
  root.each_section("keys", "", [&](Section key) {
    const std::string name = key.string("name", {});
    seen.push_back(key.path() + "=" + name);
  });
  root.each_named_section("models", "", [&](const std::string& name, Section model) {
    seen.push_back(name + "=" + model.string("to", {.fallback = "-"}));
  });
  root.each_section("absent", "", [&](Section) { seen.push_back("absent"); });
  EXPECT_THAT(seen, ElementsAre("keys[0]=a", "keys[1]=b", "z=1", "y=-"));
  EXPECT_THAT(reader.problems(), IsEmpty());
}

TEST(Reader, the_wrong_shape_is_told) {
  Reader reader(document("a: text\nb: [1]\nc: {x: 1}\nd: [text]\ne: {x: text}\nf: [a, [b], '']\n"));
  Section root = reader.root();
  (void)root.section("a").string("x", {});
  root.each_named_section("b", "", [](const std::string&, Section) { FAIL(); });
  root.each_section("c", "", [](Section) { FAIL(); });
  root.each_section("d", "", [](Section) { FAIL(); });
  root.each_named_section("e", "", [](const std::string&, Section) { FAIL(); });
  EXPECT_THAT(root.strings("f", ""), ElementsAre("a"));
  EXPECT_THAT(
      reader.problems(),
      ElementsAre("stint.yaml:1: a must be a section with keys of its own, not \"text\"",
                  "stint.yaml:2: b must hold sections, each under a name of its own, not a list",
                  "stint.yaml:3: c must be a list of sections, not a section",
                  "stint.yaml:4: d[0] must be a section with keys of its own",
                  "stint.yaml:5: e.x must be a section with keys of its own",
                  "stint.yaml:6: f[1] must be text and not empty", "stint.yaml:6: f[2] must be text and not empty"));
}

TEST(Reader, required_values) {
  Reader reader(document("keys:\n  - name: a\n  - rpm: 1\n  - name: ${UNSET}\n"));
  reader.root().each_section("keys", "", [](Section key) {
    (void)key.required_string("name", "");
    (void)key.u32("rpm", {});
  });
  EXPECT_THAT(reader.problems(),
              ElementsAre("stint.yaml:3: keys[1].name is required",
                          HasSubstr("stint.yaml:4: keys[2].name needs the environment variable UNSET")));
}

TEST(Reader, a_module_may_reject_a_value) {
  Reader reader(document("listen:\n  addr: nowhere\n"));
  Section listen = reader.root().section("listen");
  (void)listen.string("addr", {});
  listen.reject("addr", "must be host:port");
  EXPECT_THAT(reader.problems(), ElementsAre("stint.yaml:2: listen.addr must be host:port"));
}

TEST(Reader, a_section_may_be_opened_by_two_modules) {
  Reader reader(document("engine: {a: 1, b: 2}\n"));
  Section root = reader.root();
  EXPECT_EQ(root.section("engine").u32("a", {}), 1u);
  EXPECT_EQ(reader.root().section("engine").u32("b", {}), 2u);
  EXPECT_THAT(reader.problems(), IsEmpty());
}

TEST(ReaderDeathTest, a_key_has_one_reader) {
  Reader reader(document("a: 1\n"));
  Section root = reader.root();
  (void)root.u32("a", {});
  EXPECT_DEATH((void)root.u32("a", {}), "is_first");
}

TEST(Reader, problems_are_bounded) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("k{}: 1\n", i);
  Reader reader(document(text));
  (void)reader.root().u32("known", {});
  EXPECT_EQ(reader.problems().size(), kProblemCountMax);
  EXPECT_EQ(reader.problems().size(), kProblemCountMax) << "asking twice adds nothing";
}

TEST(Reader, describing_lists_every_key) {
  Reader reader = Reader::describing();
  Section root = reader.root();
  Section listen = root.section("listen");
  (void)listen.string("addr", {.fallback = "127.0.0.1:4000", .meaning = "Where the API listens"});
  (void)listen.duration("idle", {.fallback = 75s, .meaning = "Idle limit"});
  (void)listen.required_string("tls", "Certificate");
  root.each_section("keys", "Access keys", [](Section key) { (void)key.u32("rpm", {.meaning = "Requests a minute"}); });
  root.each_named_section("models", "Routes", [](const std::string&, Section model) {
    (void)model.choice<Mode>("cache", kModeNames, {.fallback = Mode::observe, .meaning = "Cache mode"});
  });
  std::vector<std::string> lines;
  for (const KeyDescription& key : reader.keys()) {
    lines.push_back(fmt::format("{}|{}|{}|{}", key.path, key.type, key.fallback, key.meaning));
  }
  EXPECT_THAT(
      lines, ElementsAre("listen.addr|text|127.0.0.1:4000|Where the API listens", "listen.idle|duration|75s|Idle limit",
                         "listen.tls|text, required||Certificate", "keys|list of sections||Access keys",
                         "keys[].rpm|whole number|0|Requests a minute", "models|sections by name||Routes",
                         "models.NAME.cache|one of off, observe, strict|observe|Cache mode"));
  EXPECT_TRUE(reader.finish()) << "describing never complains";
}

TEST(Reader, an_empty_file_is_all_fallbacks) {
  Reader reader(document("# nothing here\n"));
  EXPECT_EQ(reader.root().section("engine").u32("threads", {.fallback = 4}), 4u);
  EXPECT_TRUE(reader.finish());
}

}  // namespace
}  // namespace stint::config
