#include "platform/net/ip_endpoint.h"

#include <arpa/inet.h>

#include "platform/base/assert.h"

namespace stint::net {

namespace {

sockaddr_in& as_v4(sockaddr_storage& storage) {
  return *reinterpret_cast<sockaddr_in*>(&storage);
}
sockaddr_in6& as_v6(sockaddr_storage& storage) {
  return *reinterpret_cast<sockaddr_in6*>(&storage);
}
const sockaddr_in& as_v4(const sockaddr_storage& storage) {
  return *reinterpret_cast<const sockaddr_in*>(&storage);
}
const sockaddr_in6& as_v6(const sockaddr_storage& storage) {
  return *reinterpret_cast<const sockaddr_in6*>(&storage);
}

}  // namespace

std::optional<IpEndpoint> IpEndpoint::parse(const std::string& address, std::uint16_t port) {
  IpEndpoint endpoint;
  if (inet_pton(AF_INET, address.c_str(), &as_v4(endpoint.storage_).sin_addr) == 1) {
    endpoint.storage_.ss_family = AF_INET;
    endpoint.size_ = sizeof(sockaddr_in);
  } else if (inet_pton(AF_INET6, address.c_str(), &as_v6(endpoint.storage_).sin6_addr) == 1) {
    endpoint.storage_.ss_family = AF_INET6;
    endpoint.size_ = sizeof(sockaddr_in6);
  } else {
    return std::nullopt;
  }
  endpoint.set_port(port);
  return endpoint;
}

IpEndpoint IpEndpoint::from(const sockaddr* address, socklen_t size) {
  STINT_ASSERT(address->sa_family == AF_INET || address->sa_family == AF_INET6);
  IpEndpoint endpoint;
  endpoint.size_ = std::min<socklen_t>(size, sizeof endpoint.storage_);
  std::memcpy(&endpoint.storage_, address, endpoint.size_);
  return endpoint;
}

std::uint16_t IpEndpoint::port() const {
  return ntohs(family() == AF_INET ? as_v4(storage_).sin_port : as_v6(storage_).sin6_port);
}

void IpEndpoint::set_port(std::uint16_t port) {
  (family() == AF_INET ? as_v4(storage_).sin_port : as_v6(storage_).sin6_port) = htons(port);
}

std::string IpEndpoint::to_string() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family() == AF_INET) {
    inet_ntop(AF_INET, &as_v4(storage_).sin_addr, text.data(), text.size());
    return fmt::format("{}:{}", text.data(), port());
  }
  inet_ntop(AF_INET6, &as_v6(storage_).sin6_addr, text.data(), text.size());
  return fmt::format("[{}]:{}", text.data(), port());
}

}  // namespace stint::net
