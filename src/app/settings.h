// Settings: everything a configuration file can say, read by the modules it concerns. Plain value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "platform/base/result.h"
#include "platform/config/environment.h"
#include "platform/config/reader.h"
#include "platform/observe/log_line.h"
#include "serve/listen_settings.h"
#include "serve/stage_switches.h"
#include "stages/admit/access_keys.h"

namespace stint::app {

struct LogSettings {
  observe::LogLevel level = observe::LogLevel::info;
  observe::LogFormat format = observe::LogFormat::text;
};

struct Settings {
  serve::ListenSettings listen;
  admit::AccessKeys access_keys;
  bool strict_models = false;
  serve::StageSwitches switches;
  engine::EngineSettings engine;
  LogSettings log;
};

// Reads every section. Problems stay in the reader that `root` belongs to.
Settings read_settings(config::Section root, const config::Environment& environment);

// The file to read: `chosen` (-c), else $STINT_CONFIG, else stint.yaml in the working folder, else
// /etc/stint/stint.yaml; nullopt if there is none of the last two, which is fine.
std::optional<std::string> find_settings_file(const std::optional<std::string>& chosen,
                                              const config::Environment& environment);

// Settings from that file, or the defaults without one. Errors: unreadable file, YAML, every problem of the settings.
Result<Settings> load_settings(const std::optional<std::string>& chosen, const config::Environment& environment);

// Every key with type, default and meaning, in the order of the sections.
std::vector<config::KeyDescription> describe_settings();

}  // namespace stint::app
