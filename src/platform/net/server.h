// HttpServer: accepts connections on one address and serves them over HTTP/1.1 (1.0 answered too): keep-alive,
// pipelining one after the other, Expect: 100-continue, every timeout and bound of ServerSettings, graceful drain. Runs
// on the loop's thread. Does not own handler, budget, clock or poller, which outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "platform/base/limits.h"
#include "platform/base/result.h"
#include "platform/net/body_budget.h"
#include "platform/net/server_exchange.h"
#include "platform/net/stream.h"
#include "platform/net/task.h"

namespace stint::net {

class SocketPoller;
class TlsServerContext;

struct ServerSettings {
  std::size_t connection_count_max = base::kConnectionCountMax;
  base::Duration head_timeout = base::kRequestHeadTimeout;             // from the first byte of a head to its last
  base::Duration body_stall_timeout = base::kRequestBodyStallTimeout;  // between two reads of a body
  base::Duration idle_timeout = base::kKeepAliveIdleTimeout;           // between two requests of a connection
  base::Duration write_stall_timeout = base::kWriteStallTimeout;  // without any byte leaving while some are pending
  ProtocolFailureFormatter format_failure = format_failure_as_text;
};

struct ServerStats {
  std::uint64_t accepted_count = 0;
  std::uint64_t refused_count = 0;  // over connection_count_max
  std::uint64_t request_count = 0;
  std::uint64_t failure_count = 0;  // protocol failures answered by net
  std::size_t connection_count = 0;
};

class HttpServer {
 public:
  HttpServer(Loop& loop, Handler& handler, BodyBudget& budget, ServerSettings settings);
  // Requires that drain() has ended, or that nothing was ever served.
  ~HttpServer();

  // Binds and listens; `host` is an IP address or "localhost"; port 0 picks a free one. A taken port and an address
  // that is not ours are told in one sentence. With a TLS context every connection speaks TLS.
  Result<void> listen(SocketPoller& poller, const std::string& host, std::uint16_t port,
                      std::shared_ptr<const TlsServerContext> tls = nullptr);
  // 0 before listen().
  std::uint16_t port() const;
  // Serves one connection that somebody else accepted (tests: a memory stream).
  void serve(std::unique_ptr<Stream> stream);

  // Stops listening, lets running exchanges finish with `connection: close`, closes idle connections at once and, at
  // the deadline, the rest. Ends when no connection is left.
  Task<void> drain(base::Deadline deadline);

  const ServerStats& stats() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace stint::net
