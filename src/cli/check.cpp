#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/settings.h"
#include "cli/command.h"

namespace stint::cli {

namespace {

int print_keys() {
  for (const config::KeyDescription& key : app::describe_settings()) {
    std::printf("%-28s %-14s %-18s %s\n", key.path.c_str(), key.type.c_str(),
                key.fallback.empty() ? "-" : key.fallback.c_str(), key.meaning.c_str());
  }
  return kExitDone;
}

int check(const std::optional<std::string>& chosen) {
  const config::SystemEnvironment environment;
  const std::optional<std::string> path = app::find_settings_file(chosen, environment);
  const Result<app::Settings> settings = app::load_settings(chosen, environment);
  if (!settings) return report(settings.error());
  std::printf("%s: no problems; the API would listen on %s with the model %s\n",
              path ? path->c_str() : "no configuration file, built-in defaults", settings->listen.api.text().c_str(),
              settings->engine.model_path.c_str());
  return kExitDone;
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  struct Options {
    std::optional<std::string> file;
    bool keys = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Check a configuration file and say every problem with its line");
  command->add_option("file", options->file, "The file; else the one that `stint serve` would read");
  command->add_flag("--keys", options->keys, "List every key with its type, default and meaning instead");
  command->callback(
      [&chosen, options] { chosen = [options] { return options->keys ? print_keys() : check(options->file); }; });
}

}  // namespace stint::cli
