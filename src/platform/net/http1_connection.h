// Http1Connection: one accepted connection from its first byte to its close: heads, timeouts, keep-alive, protocol
// failures, gentle close. Single-threaded; owns its stream; borrows the server's parts. run() must have ended before it
// is destroyed.
#pragma once

#include <memory>
#include <optional>

#include "platform/net/body_budget.h"
#include "platform/net/http1_exchange.h"
#include "platform/net/http1_input.h"
#include "platform/net/http_date.h"
#include "platform/net/output_buffer.h"
#include "platform/net/server.h"

namespace stint::net {

class Http1Connection {
 public:
  struct Server {
    Loop& loop;
    Handler& handler;
    BodyBudget& budget;
    const ServerSettings& settings;
    ServerStats& stats;
    HttpDate& date;
  };

  Http1Connection(const Server& server, std::unique_ptr<Stream> stream);

  // Serves until the connection is closed, from either side.
  Task<void> run();
  // Ends after the exchange under way; at once if there is none.
  void drain();
  // Ends at once: cancels the handler.
  void abort();

 private:
  Task<void> serve_requests();
  Task<bool> serve_one(base::Duration first_byte_timeout);
  Task<bool> answer();
  Task<void> refuse(int status, Error error);
  Task<void> linger();

  const Server server_;
  const std::unique_ptr<Stream> stream_;
  Http1Input input_;
  OutputBuffer output_;
  std::optional<CancelScope> scope_;  // of the handler and all reading; the output's pump outlives it
  bool idle_ = true;
  bool draining_ = false;
};

}  // namespace stint::net
