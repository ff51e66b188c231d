// YAML text to a checked tree. Stricter than YAML: one document, a map at its root, scalar keys without duplicates, no
// anchors, aliases or tags (so nothing can multiply), UTF-8 without NUL. Scalars stay text: settings are read by the
// scalar parsers of scalars.h, never by YAML's (`010` is not 8, `on` is not true). Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/config/document.h"

namespace stint::config {

// Errors: invalid_request with "file:line: what is wrong"; too_large above kFileSizeMax bytes.
Result<Document> parse_yaml(std::string_view text, std::string file_name);

}  // namespace stint::config
