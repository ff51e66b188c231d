// Reading settings from text as a file would give them, without environment or files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "platform/config/load.h"
#include "platform/config/reader.h"
#include "tests/fakes/fake_environment.h"

namespace stint::fakes {

// Runs `read` on the settings in `text` and returns every problem as the user would see it, empty if there is none.
inline std::string read_settings(std::string_view text, const std::function<void(config::Section)>& read) {
  auto document = config::load_text(text, "stint.yaml", FakeEnvironment());
  if (!document) return document.error().message;
  config::Reader reader(std::move(*document));
  read(reader.root());
  const auto finished = reader.finish();
  return finished ? "" : finished.error().message;
}

}  // namespace stint::fakes
