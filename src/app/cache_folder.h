// Where Stint keeps files between runs: models, and what can be made again. Pure but for the Environment handed in.
#pragma once

#include <string>

#include "platform/base/result.h"
#include "platform/config/environment.h"

namespace stint::app {

// $XDG_CACHE_HOME/stint, else $HOME/.cache/stint. Errors: not_found when neither variable is set.
Result<std::string> cache_folder(const config::Environment& environment);

// <cache folder>/models.
Result<std::string> models_folder(const config::Environment& environment);

}  // namespace stint::app
