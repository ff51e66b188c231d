// Host and Origin headers and URLs from outside: no crash; what is accepted is written back to something that reads the
// same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/net/authority.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace net = stint::net;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(net::parse_authority(text));
  static_cast<void>(net::parse_origin(text));
  static_cast<void>(net::is_loopback_host(text));
  const auto url = net::parse_url(text);
  if (url) {
    const auto again = net::parse_url(net::to_string(*url));
    STINT_ASSERT(again && net::to_string(*again) == net::to_string(*url));
  }
  const auto resolved = net::resolve_location(*net::parse_url("https://host:1/a/b?c"), text);
  if (resolved) STINT_ASSERT(net::parse_url(net::to_string(*resolved)).has_value());
  return 0;
}
