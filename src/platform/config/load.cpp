#include "platform/config/load.h"

#include <utility>

#include "platform/config/parse_yaml.h"
#include "platform/config/substitution.h"

namespace stint::config {

Result<Document> load_file(const std::string& path, const Environment& environment) {
  const Result<std::string> text = environment.read_file(path, kFileSizeMax);
  if (!text) return std::unexpected(text.error());
  return load_text(*text, path, environment);
}

Result<Document> load_text(std::string_view text, std::string file_name, const Environment& environment) {
  Result<Document> document = parse_yaml(text, std::move(file_name));
  if (document) substitute(*document, environment);
  return document;
}

}  // namespace stint::config
