#include "platform/net/resolver.h"

#include <netdb.h>

#include <memory>

#include "platform/net/stream.h"

namespace stint::net {

namespace {

// Outlives whichever of the waiting task and the lookup ends first.
struct Pending {
  Latch answered;
  Result<std::vector<IpEndpoint>> answer;
};

}  // namespace

Resolver::Resolver(Lookup lookup) : lookup_(std::move(lookup)), worker_("resolver", kQueueCapacity) {}

Result<std::vector<IpEndpoint>> Resolver::system_lookup(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &hints, &list);
  if (error != 0) {
    return fail(ErrorKind::unavailable, fmt::format("The name {} cannot be resolved: {}.", host, gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  std::vector<IpEndpoint> endpoints;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    if (entry->ai_family != AF_INET && entry->ai_family != AF_INET6) continue;
    endpoints.push_back(IpEndpoint::from(entry->ai_addr, entry->ai_addrlen));
    endpoints.back().set_port(port);
  }
  if (endpoints.empty()) {
    return fail(ErrorKind::unavailable, fmt::format("The name {} has no IP address.", host));
  }
  return endpoints;
}

Task<Result<std::vector<IpEndpoint>>> Resolver::resolve(std::string host, std::uint16_t port, base::Deadline deadline) {
  if (const auto literal = IpEndpoint::parse(host, port)) co_return std::vector{*literal};
  Loop& loop = (co_await current_scope()).loop();
  auto pending = std::make_shared<Pending>();
  const bool queued = worker_.try_submit([this, pending, host, port, &loop]() mutable {
    auto answer = lookup_(host, port);
    loop.post([pending = std::move(pending), answer = std::move(answer)]() mutable {
      pending->answer = std::move(answer);
      pending->answered.set();
    });
  });
  if (!queued) co_return fail(ErrorKind::overloaded, "Too many names wait for their addresses; try again shortly.");
  if (!co_await pending->answered.wait(deadline)) {
    co_return std::unexpected(wait_error(co_await current_scope(), "resolving the name " + host));
  }
  co_return std::move(pending->answer);
}

}  // namespace stint::net
