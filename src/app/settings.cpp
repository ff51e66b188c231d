#include "app/settings.h"

#include <array>

#include "backends/local/engine_settings.h"
#include "platform/config/load.h"

namespace stint::app {

namespace {

constexpr std::array<std::string_view, 5> kLevelNames = {"debug", "info", "warning", "error", "off"};
constexpr std::array<std::string_view, 2> kFormatNames = {"text", "json"};
constexpr const char* kWorkingFolderFile = "stint.yaml";
constexpr const char* kSystemFile = "/etc/stint/stint.yaml";

LogSettings read_log_settings(config::Section root) {
  config::Section section = root.section("log");
  LogSettings settings;
  settings.level = section.choice<observe::LogLevel>(
      "level", kLevelNames, {.fallback = settings.level, .meaning = "The least serious lines that are written"});
  settings.format = section.choice<observe::LogFormat>(
      "format", kFormatNames, {.fallback = settings.format, .meaning = "text for people, json for collectors"});
  return settings;
}

bool exists(const std::string& path, const config::Environment& environment) {
  const Result<std::string> content = environment.read_file(path, config::kFileSizeMax);
  return content || content.error().kind != ErrorKind::not_found;
}

}  // namespace

Settings read_settings(config::Section root, const config::Environment& environment) {
  Settings settings;
  settings.access_keys = admit::read_access_keys(root);
  settings.listen = serve::read_listen_settings(root, !settings.access_keys.empty());
  settings.strict_models = root.section("models").boolean(
      "strict", {.fallback = false, .meaning = "true: an unknown model name is a 404, not the default model"});
  const bool linear_flow = environment.variable("ANTHROPIC_OPTIMIZE").value_or("") == "off";
  settings.switches = serve::read_stage_switches(root, linear_flow);
  settings.engine = local::read_engine_settings(root);
  settings.log = read_log_settings(root);
  return settings;
}

std::optional<std::string> find_settings_file(const std::optional<std::string>& chosen,
                                              const config::Environment& environment) {
  if (chosen) return chosen;
  const std::optional<std::string> named = environment.variable("STINT_CONFIG");
  if (named && !named->empty()) return named;
  for (const char* path : {kWorkingFolderFile, kSystemFile}) {
    if (exists(path, environment)) return path;
  }
  return std::nullopt;
}

Result<Settings> load_settings(const std::optional<std::string>& chosen, const config::Environment& environment) {
  const std::optional<std::string> path = find_settings_file(chosen, environment);
  Result<config::Document> document =
      path ? config::load_file(*path, environment) : config::load_text("", "built-in defaults", environment);
  if (!document) return std::unexpected(std::move(document.error()));
  config::Reader reader(std::move(*document));
  Settings settings = read_settings(reader.root(), environment);
  if (const Result<void> finished = reader.finish(); !finished) return std::unexpected(finished.error());
  return settings;
}

std::vector<config::KeyDescription> describe_settings() {
  config::Reader reader = config::Reader::describing();
  read_settings(reader.root(), config::SystemEnvironment());
  return reader.keys();
}

}  // namespace stint::app
