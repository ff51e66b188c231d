// IpEndpoint: an IPv4 or IPv6 address with a port, as the sockets want it. A plain value.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

namespace stint::net {

class IpEndpoint {
 public:
  // An address in text form ("127.0.0.1", "::1"); nullopt for anything else, names included.
  static std::optional<IpEndpoint> parse(const std::string& address, std::uint16_t port);
  // Requires: an AF_INET or AF_INET6 address.
  static IpEndpoint from(const sockaddr* address, socklen_t size);

  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  std::uint16_t port() const;
  void set_port(std::uint16_t port);
  // "127.0.0.1:80", "[::1]:80"
  std::string to_string() const;

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

}  // namespace stint::net
