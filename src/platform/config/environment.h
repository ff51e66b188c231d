// Environment: the only way in which configuration reaches the process's variables and files; tests bring their own.
// Thread-safe as long as nobody calls setenv. Owned by app.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "platform/base/result.h"

namespace stint::config {

class Environment {
 public:
  virtual ~Environment() = default;
  // Value of a variable; nullopt if it is not set.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;
  // The whole of a regular file. Errors: not_found, io, too_large (above size_max bytes); messages name path and
  // reason.
  virtual Result<std::string> read_file(const std::string& path, std::size_t size_max) const = 0;
};

class SystemEnvironment final : public Environment {
 public:
  std::optional<std::string> variable(const std::string& name) const override;
  Result<std::string> read_file(const std::string& path, std::size_t size_max) const override;
};

}  // namespace stint::config
