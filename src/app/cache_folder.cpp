#include "app/cache_folder.h"

namespace stint::app {

Result<std::string> cache_folder(const config::Environment& environment) {
  const std::optional<std::string> cache = environment.variable("XDG_CACHE_HOME");
  if (cache && cache->starts_with('/')) return *cache + "/stint";
  const std::optional<std::string> home = environment.variable("HOME");
  if (home && home->starts_with('/')) return *home + "/.cache/stint";
  return fail(ErrorKind::not_found,
              "neither XDG_CACHE_HOME nor HOME is set, so there is no folder for models; set one, or "
              "give engine.model the path of a GGUF file");
}

Result<std::string> models_folder(const config::Environment& environment) {
  Result<std::string> folder = cache_folder(environment);
  if (folder) *folder += "/models";
  return folder;
}

}  // namespace stint::app
