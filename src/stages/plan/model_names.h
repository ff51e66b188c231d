// ModelNames: which model a requested name means. Pure and immutable, so that cache keys built from its answer are
// stable; it never looks at health or load. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"

namespace stint::plan {

// What a requested name came to.
struct ResolvedModel {
  std::string_view backend;  // "local"
  std::string_view model;    // the backend's own name; owned by ModelNames
  bool substituted = false;  // the client asked for a name that nobody serves and got the default
};

class ModelNames {
 public:
  // `local_names`: what the local model answers to, its public name first. Requires at least one.
  // `strict`: an unknown name is an error instead of the default.
  ModelNames(std::vector<std::string> local_names, bool strict);

  // Errors: not_found (strict mode only), naming the models there are.
  Result<ResolvedModel> resolve(std::string_view requested) const;
  const std::string& default_model() const { return local_names_.front(); }

 private:
  std::vector<std::string> local_names_;
  bool strict_;
};

}  // namespace stint::plan
