// Authorities ("host:port", "[::1]:80") and origins ("http://localhost:3000") as they stand in Host and Origin headers
// and in URLs. Pure functions. Deciding who is allowed belongs to the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/result.h"

namespace stint::net {

struct Authority {
  std::string host;  // lower case; an IPv6 address without its brackets
  std::optional<std::uint16_t> port;
};

// ErrorKind::invalid_request for anything but a registered name, an IPv4 address or a bracketed IPv6 address, with an
// optional port.
Result<Authority> parse_authority(std::string_view text);

struct Origin {
  std::string scheme;  // lower case
  Authority authority;
};

// "null" and anything that is not scheme://authority is an error.
Result<Origin> parse_origin(std::string_view text);

// localhost, *.localhost, 127.0.0.0/8, ::1. By text alone, without resolving: a foreign name that resolves to 127.0.0.1
// is not loopback, which is the point of the check (DNS rebinding).
bool is_loopback_host(std::string_view host);

struct Url {
  std::string scheme;  // "http" or "https"
  Authority authority;
  std::string target;  // path and query, at least "/"; a fragment is dropped
  std::uint16_t port() const { return authority.port.value_or(scheme == "https" ? 443 : 80); }
};

// Only http and https; user information is refused.
Result<Url> parse_url(std::string_view text);
// Resolves a Location header against the URL that was asked: absolute, //authority, /path or relative path.
Result<Url> resolve_location(const Url& base, std::string_view location);
std::string to_string(const Url& url);

}  // namespace stint::net
