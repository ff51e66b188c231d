#include "platform/net/authority.h"

#include <arpa/inet.h>

#include <charconv>

namespace stint::net {

namespace {

constexpr std::size_t kHostSizeMax = 253;  // RFC 1035: a name of 255 octets, written without the root

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}

// Letters, digits, "-._": what resolvers take. Percent-encoded and non-ASCII names are refused.
bool is_host_name(std::string_view text) {
  if (text.empty() || text.size() > kHostSizeMax) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  });
}

bool is_ipv6(std::string_view text) {
  in6_addr address{};
  return text.size() < INET6_ADDRSTRLEN && inet_pton(AF_INET6, std::string(text).c_str(), &address) == 1;
}

bool is_ipv4(std::string_view text) {
  in_addr address{};
  return text.size() < INET_ADDRSTRLEN && inet_pton(AF_INET, std::string(text).c_str(), &address) == 1;
}

std::unexpected<Error> malformed(std::string_view what) {
  return fail(ErrorKind::invalid_request, fmt::format("The {} is malformed.", what));
}

bool parse_port(std::string_view text, std::uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

// Cuts "scheme://" off; the rest starts with the authority.
std::optional<std::string> take_scheme(std::string_view& text) {
  const std::size_t end = text.find("://");
  if (end == std::string_view::npos || end == 0 || end > 16) return std::nullopt;
  std::string scheme = lower(text.substr(0, end));
  const auto is_scheme_char = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
  };
  if (!std::all_of(scheme.begin(), scheme.end(), is_scheme_char)) return std::nullopt;
  text.remove_prefix(end + 3);
  return scheme;
}

}  // namespace

Result<Authority> parse_authority(std::string_view text) {
  Authority authority;
  std::string_view rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || !is_ipv6(text.substr(1, end - 1))) return malformed("IPv6 address");
    authority.host = lower(text.substr(1, end - 1));
    rest = text.substr(end + 1);
  } else {
    const std::size_t end = std::min(text.find(':'), text.size());
    if (!is_host_name(text.substr(0, end))) return malformed("host name");
    authority.host = lower(text.substr(0, end));
    rest = text.substr(end);
  }
  if (rest.empty()) return authority;
  std::uint16_t port = 0;
  if (rest.front() != ':' || !parse_port(rest.substr(1), port)) return malformed("port");
  authority.port = port;
  return authority;
}

Result<Origin> parse_origin(std::string_view text) {
  auto scheme = take_scheme(text);
  if (!scheme) return malformed("origin");
  auto authority = parse_authority(text);
  if (!authority) return std::unexpected(authority.error());
  return Origin{std::move(*scheme), std::move(*authority)};
}

bool is_loopback_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::string name = lower(host);
  if (name == "localhost" || name.ends_with(".localhost")) return true;
  if (is_ipv4(name)) return name.starts_with("127.");
  in6_addr address{};
  return is_ipv6(name) && inet_pton(AF_INET6, name.c_str(), &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

Result<Url> parse_url(std::string_view text) {
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  auto scheme = take_scheme(text);
  if (!printable || !scheme || (*scheme != "http" && *scheme != "https")) {
    return fail(ErrorKind::invalid_request, "The URL is malformed; expected http://host/path or https://host/path.");
  }
  text = text.substr(0, text.find('#'));
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  auto authority = parse_authority(text.substr(0, end));
  if (!authority) return std::unexpected(authority.error());
  std::string target(text.substr(end));
  if (!target.starts_with('/')) target.insert(0, 1, '/');
  return Url{std::move(*scheme), std::move(*authority), std::move(target)};
}

Result<Url> resolve_location(const Url& base, std::string_view location) {
  if (location.find("://") < location.find_first_of("/?#")) return parse_url(location);
  if (location.starts_with("//")) return parse_url(fmt::format("{}:{}", base.scheme, location));
  Url root = base;
  root.target.clear();
  std::string prefix = to_string(root);
  if (!location.starts_with('/')) {
    const std::string path = base.target.substr(0, base.target.find('?'));
    prefix += location.starts_with('?') ? path : path.substr(0, path.rfind('/') + 1);
  }
  return parse_url(prefix.append(location));
}

std::string to_string(const Url& url) {
  const std::string_view host = url.authority.host;
  std::string text = url.scheme + "://";
  text += host.find(':') == std::string_view::npos ? std::string(host) : fmt::format("[{}]", host);
  if (url.authority.port) text += fmt::format(":{}", *url.authority.port);
  return text += url.target;
}

}  // namespace stint::net
