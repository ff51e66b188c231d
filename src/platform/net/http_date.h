// HttpDate: the value of the Date header (RFC 9110 section 5.6.7), written anew only when the second has changed.
// Single-threaded, owns its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stint::net {

class HttpDate {
 public:
  // "Sun, 06 Nov 1994 08:49:37 GMT"; valid until the next call.
  std::string_view at(std::int64_t unix_seconds);

 private:
  std::int64_t unix_seconds_ = -1;
  std::string text_;
};

}  // namespace stint::net
