#include "platform/base/error.h"

#include "platform/base/assert.h"

namespace stint::base {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_request:
      return "invalid_request";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::authentication:
      return "authentication";
    case ErrorKind::permission:
      return "permission";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::method_not_allowed:
      return "method_not_allowed";
    case ErrorKind::timeout_request:
      return "timeout_request";
    case ErrorKind::conflict:
      return "conflict";
    case ErrorKind::too_large:
      return "too_large";
    case ErrorKind::headers_too_large:
      return "headers_too_large";
    case ErrorKind::rate_limited:
      return "rate_limited";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::internal:
      return "internal";
    case ErrorKind::unavailable:
      return "unavailable";
    case ErrorKind::overloaded:
      return "overloaded";
    case ErrorKind::timeout:
      return "timeout";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::io:
      return "io";
  }
  STINT_ASSERT(false);
}

}  // namespace stint::base
