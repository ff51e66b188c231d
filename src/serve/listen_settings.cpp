#include "serve/listen_settings.h"

#include "platform/net/authority.h"

namespace stint::serve {

namespace {

ListenAddress read_address(config::Section section, std::string_view name, const ListenAddress& fallback,
                           std::string_view meaning) {
  const std::string text = section.string(name, {.fallback = fallback.text(), .meaning = meaning});
  Result<ListenAddress> address = parse_listen_address(text);
  if (address) return *address;
  section.reject(name, "must be an IP address or localhost, a colon and a port, such as 127.0.0.1:4000");
  return fallback;
}

}  // namespace

bool ListenAddress::is_loopback() const {
  return net::is_loopback_host(host);
}

std::string ListenAddress::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  Result<net::Authority> authority = net::parse_authority(text);
  if (!authority) return std::unexpected(std::move(authority.error()));
  if (!authority->port) return fail(ErrorKind::invalid_request, fmt::format("{} has no port", text));
  return ListenAddress{.host = std::move(authority->host), .port = *authority->port};
}

ListenSettings read_listen_settings(config::Section root, bool has_access_keys) {
  ListenSettings settings;
  config::Section section = root.section("listen");
  settings.api = read_address(section, "addr", settings.api, "Address of the API; a public one needs access keys");
  settings.admin = read_address(section, "admin", settings.admin, "Address of the admin port: metrics; loopback only");
  settings.cors_origins =
      section.strings("cors_origins", "Origins of browser pages that may call the API; any other page is refused");
  if (!settings.api.is_loopback() && !has_access_keys) {
    section.reject("addr",
                   "is reachable from other machines, which needs access keys: add a list under keys, "
                   "or listen on 127.0.0.1");
  }
  if (!settings.admin.is_loopback()) {
    section.reject("admin", "is reachable from other machines, but the admin port has no keys: use 127.0.0.1");
  }
  for (const std::string& origin : settings.cors_origins) {
    if (!net::parse_origin(origin)) {
      section.reject("cors_origins", "must hold origins such as https://app.example.com, without a path");
    }
  }
  return settings;
}

}  // namespace stint::serve
