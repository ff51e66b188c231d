// ListenSettings: where Stint listens, and which browsers may talk to it. Plain value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/base/result.h"
#include "platform/config/reader.h"

namespace stint::serve {

struct ListenAddress {
  std::string host;  // an IP address or "localhost"
  std::uint16_t port = 0;

  bool is_loopback() const;
  // "127.0.0.1:4000", "[::1]:4000".
  std::string text() const;
};

struct ListenSettings {
  ListenAddress api{"127.0.0.1", 4000};
  ListenAddress admin{"127.0.0.1", 4001};
  std::vector<std::string> cors_origins;  // origins of browser pages that may call us, e.g. "https://app.example.com"
};

// Errors: invalid_request for anything but IP:port, [IPv6]:port or localhost:port.
Result<ListenAddress> parse_listen_address(std::string_view text);

// Reads `listen`. With `has_access_keys` false, a public address is a problem of the file.
ListenSettings read_listen_settings(config::Section root, bool has_access_keys);

}  // namespace stint::serve
