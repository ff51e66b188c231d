// A configuration file of any bytes is read or refused: no crash, no hang, and no secret in a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "platform/config/load.h"
#include "platform/config/reader.h"
#include "tests/fakes/fake_environment.h"

namespace {

constexpr std::string_view kSecret = "s3cret-Value";

void expect(bool condition) {
  if (!condition) std::abort();
}

void read_settings(stint::config::Section root) {
  stint::config::Section listen = root.section("listen");
  (void)listen.string("addr", {.fallback = "127.0.0.1:4000"});
  (void)listen.u32("threads", {.fallback = 1, .min = 1, .max = 64});
  (void)listen.boolean("strict", {});
  (void)listen.duration("idle", {});
  (void)listen.byte_size("memory", {});
  (void)listen.ratio("share", {});
  (void)listen.strings("hosts", "");
  root.each_section("keys", "", [](stint::config::Section key) {
    (void)key.required_string("name", "");
    (void)key.optional_u32("rpm", {.max = 100});
  });
  root.each_named_section(
      "models", "", [](const std::string&, stint::config::Section model) { (void)model.optional_string("to", ""); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stint::fakes::FakeEnvironment environment;
  environment.variables = {{"SECRET", std::string(kSecret)}, {"EMPTY", ""}};
  environment.files = {{"/secret", std::string(kSecret) + "\n"}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto document = stint::config::load_text(text, "stint.yaml", environment);
  if (!document) {
    expect(document.error().message.starts_with("stint.yaml:"));
    return 0;
  }
  stint::config::Reader reader(*std::move(document));
  read_settings(reader.root());
  const auto lines = reader.problems();
  expect(lines.size() <= stint::config::kProblemCountMax);
  const bool file_has_secret = text.find(kSecret.substr(0, 6)) != std::string_view::npos;
  for (const std::string& line : lines) {
    expect(line.starts_with("stint.yaml:"));
    expect(file_has_secret || line.find(kSecret) == std::string::npos);
  }
  return 0;
}
