// Error: what went wrong, told so that a user can act on it. A plain value, copied freely, no ownership of resources.
// The list of kinds is closed; serve/api/error_body is the one place where a kind becomes an HTTP status and body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stint::base {

enum class ErrorKind : std::uint8_t {
  invalid_request,     // the caller's input is wrong: 400
  unsupported,         // well formed, but not something we can do: 400
  authentication,      // no or unknown key: 401
  permission,          // known key, not allowed: 403
  not_found,           // 404
  method_not_allowed,  // 405
  timeout_request,     // the caller sent too slowly: 408
  conflict,            // 409
  too_large,           // 413
  headers_too_large,   // 431
  rate_limited,        // 429
  cancelled,           // the caller left; nobody reads the answer: 499 in logs
  internal,            // a failure of ours that is no bug to assert on: 500
  unavailable,         // shutting down, or a part we need is gone: 503
  overloaded,          // shed by us: 529 towards Anthropic clients, 503 towards OpenAI clients
  timeout,             // a deadline of ours passed: 504
  corrupt,             // a file or a peer's bytes contradict their format
  io,                  // the operating system refused
};

// The kind's name as it stands in logs and metrics, e.g. "rate_limited".
std::string_view to_string(ErrorKind kind);

struct [[nodiscard]] Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  // a whole sentence: what was wrong, where, and what to do
  std::string param;    // the request field at fault, dotted path, empty if none
  std::string code;     // machine-readable detail of the wire API, e.g. "context_length_exceeded", empty if none
};

}  // namespace stint::base
