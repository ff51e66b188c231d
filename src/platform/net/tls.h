// TLS over any Stream, by OpenSSL with memory BIOs: the engine turns bytes into bytes, the stream below moves them, so
// TLS runs over TCP and over memory alike. TLS 1.2 and 1.3. Contexts are immutable and shared: loading the system's
// authorities costs 26 ms, once. Single-threaded streams; contexts are thread-safe.
#pragma once

#include <memory>
#include <string>

#include "platform/net/stream.h"

namespace stint::net {

class TlsClientContext {
 public:
  // Trusts the system's certificate authorities.
  static Result<std::shared_ptr<const TlsClientContext>> make();
  // Trusts only the certificates in `authorities_pem`.
  static Result<std::shared_ptr<const TlsClientContext>> make_trusting(const std::string& authorities_pem);
  ~TlsClientContext();

 private:
  friend class TlsStream;
  struct Native;
  explicit TlsClientContext(std::unique_ptr<Native> native);
  std::unique_ptr<Native> native_;
};

class TlsServerContext {
 public:
  // `chain_pem`: the certificate, then those that lead to an authority. ErrorKind::invalid_request if they do not fit
  // together.
  static Result<std::shared_ptr<const TlsServerContext>> make(const std::string& chain_pem, const std::string& key_pem);
  ~TlsServerContext();

 private:
  friend class TlsStream;
  struct Native;
  explicit TlsServerContext(std::unique_ptr<Native> native);
  std::unique_ptr<Native> native_;
};

// Handshake as client; `host` (a name or an IP address) must match the certificate. ErrorKind::io with OpenSSL's
// reason, timeout, cancelled.
Task<Result<std::unique_ptr<Stream>>> tls_connect(std::shared_ptr<const TlsClientContext> context,
                                                  std::unique_ptr<Stream> stream, std::string host,
                                                  base::Deadline deadline);
// Handshake as server.
Task<Result<std::unique_ptr<Stream>>> tls_accept(std::shared_ptr<const TlsServerContext> context,
                                                 std::unique_ptr<Stream> stream, base::Deadline deadline);

}  // namespace stint::net
