// ServerExchange: one request and its answer, as a handler sees it; Handler: who answers. Independent of the HTTP
// version. Runs on the loop's thread; lives until Handler::handle has returned.
//
// The head is there from the start, the body only when asked for: who may not enter never makes us read 32 MiB.
// A client that closes (also one that only shuts down its sending side) sets client_gone() within milliseconds. The
// answer is still sent if the handler goes on, so a half-closed `nc` gets its reply; long work should race against
// client_gone() and stop.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "platform/base/limits.h"
#include "platform/base/result.h"
#include "platform/net/http_message.h"
#include "platform/net/task.h"

namespace stint::net {

class ServerExchange {
 public:
  virtual ~ServerExchange() = default;

  // body is null until read_body has succeeded.
  virtual const HttpRequest& request() const = 0;
  virtual std::string peer_name() const = 0;

  // The whole body, also kept in request().body; a second call gives the same. Errors: too_large (the rest is not
  // read), timeout_request (stalled), overloaded (bodies of all requests together are too many), invalid_request (bad
  // framing), cancelled (client left).
  virtual Task<Result<std::shared_ptr<const std::string>>> read_body(
      std::size_t size_max = base::kRequestBodySizeMax) = 0;

  // One complete answer, content-length set. At most one respond() or start() an exchange.
  virtual Task<Result<void>> respond(HttpResponseHead head, std::string_view body) = 0;
  // A streamed answer: chunked towards HTTP/1.1, ended by close towards 1.0. The head leaves with the first bytes or
  // with flush.
  virtual Task<Result<void>> start(HttpResponseHead head) = 0;
  // Sends at once if nothing is pending, else joins what is; waits while more than 256 KiB are unsent. The bytes are
  // copied if they cannot leave at once. Errors: cancelled (client gone or connection closed), timeout (deadline passed
  // while waiting for room).
  virtual Task<Result<void>> write(std::string_view bytes, base::Deadline deadline) = 0;
  // Ends the streamed answer. A handler that returns without finish() after start() tears the connection down, which is
  // how the client learns that the answer is incomplete.
  virtual Task<Result<void>> finish() = 0;

  // Status sent, 0 before respond() or start().
  virtual int status() const = 0;
  // A callback set here is dropped when the handler returns.
  virtual Latch& client_gone() = 0;
};

class Handler {
 public:
  virtual ~Handler() = default;
  // Must answer; an exchange left without an answer is closed. Cancelled only by the end of a drain or of the loop.
  virtual Task<void> handle(ServerExchange& exchange) = 0;
};

// Failures that net answers itself, before or instead of the handler.
struct ProtocolFailure {
  int status = 400;         // 400 408 413 431 501 503 505
  Error error;              // what to tell the client
  std::string_view target;  // as far as it was read; empty if the request line was unreadable
  const Headers* headers;   // as far as they were read; never null
};

// Writes the error in the client's dialect: net knows none. Returns body and headers (content-type); net adds framing.
using ProtocolFailureFormatter = std::function<std::pair<HttpResponseHead, std::string>(const ProtocolFailure&)>;

// {"error": ...}-free plain text, for servers that speak no dialect (admin port, tests).
std::pair<HttpResponseHead, std::string> format_failure_as_text(const ProtocolFailure& failure);

}  // namespace stint::net
