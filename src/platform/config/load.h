// From bytes to a Document ready for a Reader: parse_yaml, then substitution (substitution.h). Pure but for the
// Environment handed in; thread-safe. Limits in document.h.
#pragma once

#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/config/document.h"
#include "platform/config/environment.h"

namespace stint::config {

// Reads `path`, parses it and fills in substitutions. Errors are those of the file as a whole (unreadable, too large,
// not YAML); failed substitutions are kept in Document::problems so that one run reports everything.
Result<Document> load_file(const std::string& path, const Environment& environment);

// The same for text at hand; `file_name` only serves messages.
Result<Document> load_text(std::string_view text, std::string file_name, const Environment& environment);

}  // namespace stint::config
