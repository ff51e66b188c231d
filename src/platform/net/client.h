// HttpClient: one request over a fresh HTTP/1.1 connection, TLS with verification for https. For downloads and tools;
// the caller follows redirects (resolve_location). The body is pulled piece by piece, so a slow consumer slows the
// sender. Runs on the loop's thread; borrows resolver and poller.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/net/authority.h"
#include "platform/net/http_message.h"
#include "platform/net/resolver.h"
#include "platform/net/stream.h"
#include "platform/net/task.h"

namespace stint::net {

class SocketPoller;
class TlsClientContext;

struct ClientRequest {
  std::string method = "GET";
  Url url;
  Headers headers;  // host, content-length and connection are added
  std::string body;
};

struct ClientTimeouts {
  base::Duration connect = std::chrono::seconds(10);      // resolving, connecting and the TLS handshake together
  base::Duration write_stall = std::chrono::seconds(30);  // sending the whole request
  base::Duration head = std::chrono::seconds(30);         // from the request to the head of the answer
  base::Duration body_stall = std::chrono::seconds(30);   // between two pieces of the body
};

// An answer whose head has come. Destroying it closes the connection.
class ClientResponse {
 public:
  virtual ~ClientResponse() = default;
  virtual const HttpResponseHead& head() const = 0;
  // The next piece, valid until the next call; empty at the end. ErrorKind::io if the connection breaks or the answer
  // is cut short or malformed, timeout, cancelled.
  virtual Task<Result<std::string_view>> read() = 0;
  // The rest of the body; ErrorKind::too_large beyond `size_max`.
  Task<Result<std::string>> read_all(std::size_t size_max);
};

class HttpClient {
 public:
  HttpClient(SocketPoller& poller, Resolver& resolver, std::shared_ptr<const TlsClientContext> tls,
             ClientTimeouts timeouts = {});

  // Errors name the host: unavailable (cannot resolve or connect), io, timeout, cancelled. Any status is a success
  // here.
  Task<Result<std::unique_ptr<ClientResponse>>> send(ClientRequest request);

 private:
  Task<Result<std::unique_ptr<Stream>>> connect(Url url, base::Deadline deadline);

  SocketPoller& poller_;
  Resolver& resolver_;
  const std::shared_ptr<const TlsClientContext> tls_;
  const ClientTimeouts timeouts_;
};

// The same over a connection that somebody else made.
Task<Result<std::unique_ptr<ClientResponse>>> send_over(std::unique_ptr<Stream> stream, ClientRequest request,
                                                        ClientTimeouts timeouts);

}  // namespace stint::net
