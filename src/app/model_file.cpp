#include "app/model_file.h"

#include <sys/stat.h>

#include "app/cache_folder.h"
#include "app/model_catalogue.h"

namespace stint::app {

namespace {

constexpr std::string_view kExtension = ".gguf";

bool is_regular_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool looks_like_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(kExtension);
}

std::string_view stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 = 0
  if (path.ends_with(kExtension)) path.remove_suffix(kExtension.size());
  return path;
}

}  // namespace

Result<ModelFile> find_model_file(std::string_view name_or_path, const config::Environment& environment) {
  if (looks_like_path(name_or_path)) {
    ModelFile file{.name = std::string(stem(name_or_path)), .path = std::string(name_or_path)};
    if (is_regular_file(file.path)) return file;
    return fail(ErrorKind::not_found,
                fmt::format("the model file {} does not exist; correct engine.model, or get a model "
                            "with `stint pull`",
                            file.path));
  }
  const CatalogueModel* model = find_model(name_or_path);
  if (model == nullptr) {
    return fail(ErrorKind::invalid_request,
                fmt::format("{} is neither the path of a GGUF file nor a model that `stint pull` knows", name_or_path));
  }
  const Result<std::string> folder = models_folder(environment);
  if (!folder) return std::unexpected(folder.error());
  ModelFile file{.name = std::string(model->name), .path = fmt::format("{}/{}", *folder, model->file_name)};
  if (is_regular_file(file.path)) return file;
  return fail(ErrorKind::not_found, fmt::format("the model {} is not on this machine; get it with `stint pull {}`",
                                                model->name, model->name));
}

}  // namespace stint::app
