// AdminHandler: the second port: GET /metrics for Prometheus, GET /health. Loopback only, no keys, no dialect: errors
// are plain text. Lives on the io thread; borrows the registry.
#pragma once

#include "platform/net/server_exchange.h"
#include "platform/observe/registry.h"

namespace stint::serve {

class AdminHandler final : public net::Handler {
 public:
  explicit AdminHandler(const observe::Registry& registry) : registry_(registry) {}
  net::Task<void> handle(net::ServerExchange& connection) override;

 private:
  const observe::Registry& registry_;
};

}  // namespace stint::serve
