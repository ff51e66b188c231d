// Resolver: names to addresses with the system's getaddrinfo, which blocks, so it runs on a thread of its own. An
// answer that comes after the deadline is dropped. Used from one loop; must be destroyed before it. At most
// kQueueCapacity names wait; more are refused.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "platform/base/result.h"
#include "platform/net/ip_endpoint.h"
#include "platform/net/task.h"

namespace stint::net {

class Resolver {
 public:
  static constexpr std::size_t kQueueCapacity = 64;
  using Lookup = std::function<Result<std::vector<IpEndpoint>>(const std::string& host, std::uint16_t port)>;

  // `lookup` runs on the resolver's thread; tests pass their own.
  explicit Resolver(Lookup lookup = system_lookup);

  // At least one address, in the system's order of preference; address literals are answered at once.
  // ErrorKind::unavailable if the name is unknown, timeout, cancelled, overloaded.
  Task<Result<std::vector<IpEndpoint>>> resolve(std::string host, std::uint16_t port, base::Deadline deadline);

  static Result<std::vector<IpEndpoint>> system_lookup(const std::string& host, std::uint16_t port);

 private:
  const Lookup lookup_;
  Worker worker_;
};

}  // namespace stint::net
