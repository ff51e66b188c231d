// TCP: streams over non-blocking sockets, listening and connecting. Runs on the thread of the poller's loop; the poller
// outlives every socket. No Nagle: each write leaves at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/net/ip_endpoint.h"
#include "platform/net/socket_poller.h"
#include "platform/net/stream.h"

namespace stint::net {

// A connected or connecting socket. Takes over `fd`.
class TcpStream final : public Stream {
 public:
  TcpStream(SocketPoller& poller, int fd, const IpEndpoint& peer);
  ~TcpStream() override;

  Result<std::optional<std::size_t>> try_read(std::span<char> buffer) override;
  Result<std::size_t> try_write(std::span<const std::string_view> pieces) override;
  Notify& readable() override { return events_.readable; }
  Notify& writable() override { return events_.writable; }
  Latch& peer_closed() override { return events_.peer_closed; }
  void shutdown_write() override;
  void close() override;
  std::string peer_name() const override { return peer_.to_string(); }

 private:
  SocketPoller& poller_;
  int fd_;
  std::uint32_t slot_;
  const IpEndpoint peer_;
  SocketEvents events_;
};

// ErrorKind::unavailable when refused or unreachable, timeout, cancelled.
Task<Result<std::unique_ptr<Stream>>> tcp_connect(SocketPoller& poller, IpEndpoint peer, base::Deadline deadline);

class TcpListener {
 public:
  // `host` is an IP address or "localhost" (127.0.0.1). ErrorKind::unavailable for a taken port, invalid_request for a
  // bad address.
  static Result<std::unique_ptr<TcpListener>> open(SocketPoller& poller, const std::string& host, std::uint16_t port);
  // Takes over `fd`, a listening socket bound to `endpoint`.
  TcpListener(SocketPoller& poller, int fd, const IpEndpoint& endpoint);
  ~TcpListener();

  // Null: nobody there, wait for acceptable(). ErrorKind::io when the process is out of descriptors or memory: wait a
  // little.
  Result<std::unique_ptr<Stream>> try_accept();
  Notify& acceptable() { return events_.readable; }
  std::uint16_t port() const { return endpoint_.port(); }

 private:
  SocketPoller& poller_;
  const int fd_;
  const IpEndpoint endpoint_;
  SocketEvents events_;
  const std::uint32_t slot_;
};

}  // namespace stint::net
