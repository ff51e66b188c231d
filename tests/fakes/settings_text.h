// Reading settings from text as a file would give them, without environment or files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "platform/config/load.h"
#include "platform/config/reader.h"

namespace stint::fakes {

class EmptyEnvironment final : public config::Environment {
 public:
  std::optional<std::string> variable(const std::string&) const override { return std::nullopt; }
  Result<std::string> read_file(const std::string&, std::size_t) const override {
    return fail(ErrorKind::not_found, "there are no files here");
  }
};

// Runs `read` on the settings in `text` and returns every problem as the user would see it, empty if there is none.
inline std::string read_settings(std::string_view text, const std::function<void(config::Section)>& read) {
  auto document = config::load_text(text, "stint.yaml", EmptyEnvironment());
  if (!document) return document.error().message;
  config::Reader reader(std::move(*document));
  read(reader.root());
  const auto finished = reader.finish();
  return finished ? "" : finished.error().message;
}

}  // namespace stint::fakes
