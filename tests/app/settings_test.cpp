#include "app/settings.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_environment.h"

namespace stint::app {
namespace {

TEST(Settings, without_a_file_the_defaults_hold) {
  const fakes::FakeEnvironment environment;
  const auto settings = load_settings(std::nullopt, environment);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->listen.api.text(), "127.0.0.1:4000");
  EXPECT_EQ(settings->engine.model_path, "smollm2-135m");
  EXPECT_FALSE(settings->strict_models);
  EXPECT_TRUE(settings->switches.runs(serve::StageId::cache, 0.5));
}

TEST(Settings, the_file_is_the_chosen_one_then_the_variable_then_the_folders) {
  fakes::FakeEnvironment environment;
  EXPECT_EQ(find_settings_file(std::nullopt, environment), std::nullopt);
  environment.files["/etc/stint/stint.yaml"] = "";
  EXPECT_EQ(find_settings_file(std::nullopt, environment), "/etc/stint/stint.yaml");
  environment.files["stint.yaml"] = "";
  EXPECT_EQ(find_settings_file(std::nullopt, environment), "stint.yaml");
  environment.variables["STINT_CONFIG"] = "/my.yaml";
  EXPECT_EQ(find_settings_file(std::nullopt, environment), "/my.yaml");
  EXPECT_EQ(find_settings_file("/chosen.yaml", environment), "/chosen.yaml");
}

TEST(Settings, every_section_is_read) {
  fakes::FakeEnvironment environment;
  environment.files["stint.yaml"] =
      "listen: {addr: \"127.0.0.1:5000\"}\n"
      "keys: [{name: a, key: 0123456789abcdef}]\n"
      "models: {strict: true}\n"
      "optimize: false\n"
      "engine: {threads: 1}\n"
      "log: {level: debug, format: json}\n";
  const auto settings = load_settings(std::nullopt, environment);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->listen.api.port, 5000);
  EXPECT_FALSE(settings->access_keys.empty());
  EXPECT_TRUE(settings->strict_models);
  EXPECT_FALSE(settings->switches.runs(serve::StageId::cache, 0.0));
  EXPECT_EQ(settings->engine.thread_count, 1u);
  EXPECT_EQ(settings->log.level, observe::LogLevel::debug);
  EXPECT_EQ(settings->log.format, observe::LogFormat::json);
}

TEST(Settings, the_environment_can_choose_the_linear_flow) {
  fakes::FakeEnvironment environment;
  environment.variables["ANTHROPIC_OPTIMIZE"] = "off";
  const auto settings = load_settings(std::nullopt, environment);
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->switches.runs(serve::StageId::store, 0.0));
}

TEST(Settings, an_unknown_key_is_told_with_its_line_and_the_nearest_known_one) {
  fakes::FakeEnvironment environment;
  environment.files["stint.yaml"] = "\nlistne: {addr: \"127.0.0.1:5000\"}\n";
  const auto settings = load_settings(std::nullopt, environment);
  ASSERT_FALSE(settings);
  EXPECT_NE(settings.error().message.find("stint.yaml:2"), std::string::npos);
  EXPECT_NE(settings.error().message.find("listen"), std::string::npos);
}

TEST(Settings, every_key_has_a_meaning) {
  const auto keys = describe_settings();
  EXPECT_GE(keys.size(), 15u);
  for (const auto& key : keys) EXPECT_FALSE(key.meaning.empty()) << key.path;
}

}  // namespace
}  // namespace stint::app
