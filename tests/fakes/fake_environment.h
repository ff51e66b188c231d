// FakeEnvironment: variables and files that exist only in a test.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "platform/config/environment.h"

namespace stint::fakes {

class FakeEnvironment final : public config::Environment {
 public:
  std::optional<std::string> variable(const std::string& name) const override {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::string> read_file(const std::string& path, std::size_t size_max) const override {
    const auto found = files.find(path);
    if (found == files.end()) return fail(ErrorKind::not_found, path + ": the file cannot be read (no such file)");
    if (found->second.size() > size_max) return fail(ErrorKind::too_large, path + ": the file is too large");
    return found->second;
  }

  std::map<std::string, std::string> variables;
  std::map<std::string, std::string> files;
};

}  // namespace stint::fakes
