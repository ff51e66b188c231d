// Substitution in scalar values, after parsing, so that no value can become structure:
//   ${VAR}            the variable; an error if it is not set
//   ${VAR:-default}   the default, taken literally up to the next `}`, if VAR is unset or empty
//   ${file:/path}     the file's text without its last line break, at most kSubstitutedFileSizeMax bytes
//   $$                one `$`; a `$` before anything else stands for itself
// Keys are not touched and what was put in is not looked at again. Values made this way are marked and never shown.
// Pure but for the Environment; thread-safe.
#pragma once

#include <cstddef>

#include "platform/config/document.h"
#include "platform/config/environment.h"

namespace stint::config {

inline constexpr std::size_t kSubstitutedFileSizeMax = 64 * 1024;
inline constexpr std::size_t kSubstitutedSizeMax = 4 * 1024 * 1024;  // all values of a file together

// Rewrites the document's scalars; what cannot be filled in is added to document.problems and left empty.
void substitute(Document& document, const Environment& environment);

}  // namespace stint::config
