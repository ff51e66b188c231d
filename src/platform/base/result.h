// Result<T>: a value or an Error. Nodiscard through std::expected's Error type; libstdc++ 12 has no and_then/transform
// members, so callers return early: `if (!r) return std::unexpected(r.error());`
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "platform/base/error.h"

namespace stint::base {

template <typename T>
using Result = std::expected<T, Error>;

// The failing side of a Result: `return fail(ErrorKind::corrupt, "...");`
inline std::unexpected<Error> fail(ErrorKind kind, std::string message, std::string param = {}, std::string code = {}) {
  return std::unexpected(Error{kind, std::move(message), std::move(param), std::move(code)});
}

}  // namespace stint::base

namespace stint {
using base::Error;
using base::ErrorKind;
using base::fail;
using base::Result;
}  // namespace stint
