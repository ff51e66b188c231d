// From what `engine.model` or a command line says to the file of a model. Reads nothing but the file's presence.
#pragma once

#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/config/environment.h"

namespace stint::app {

struct ModelFile {
  std::string name;  // the public name of the model: "smollm2-135m"
  std::string path;
};

// A catalogue name becomes the file in the models folder; anything with a slash or ending in .gguf is a path.
// Errors: not_found, saying how to get the model; invalid_request for a name that is neither.
Result<ModelFile> find_model_file(std::string_view name_or_path, const config::Environment& environment);

}  // namespace stint::app
