#include "platform/net/tcp.h"

#include <netinet/tcp.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/base/assert.h"

namespace stint::net {

namespace {

constexpr int kBacklog = 1024;
constexpr std::size_t kPiecesPerWrite = 8;

std::string describe(int error) {
  return std::system_category().message(error);
}

std::unexpected<Error> closed_here() {
  return fail(ErrorKind::cancelled, "The connection was closed here.");
}

std::unexpected<Error> peer_failed(int error) {
  return fail(ErrorKind::io, fmt::format("The connection broke: {}.", describe(error)));
}

std::unexpected<Error> cannot_connect(const IpEndpoint& peer, int error) {
  return fail(ErrorKind::unavailable, fmt::format("Cannot connect to {}: {}.", peer.to_string(), describe(error)));
}

}  // namespace

TcpStream::TcpStream(SocketPoller& poller, int fd, const IpEndpoint& peer) : poller_(poller), fd_(fd), peer_(peer) {
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  slot_ = poller_.add(fd_, events_);
}

TcpStream::~TcpStream() {
  close();
}

Result<std::optional<std::size_t>> TcpStream::try_read(std::span<char> buffer) {
  if (fd_ < 0) return closed_here();
  if (!events_.can_read) return std::optional<std::size_t>();
  for (;;) {
    const ssize_t size = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (size >= 0) {
      // A short read has emptied the socket (epoll(7)), except that the end of stream is still to be read.
      const bool emptied = static_cast<std::size_t>(size) < buffer.size() && !events_.peer_closed.is_set();
      if (emptied && size > 0) events_.can_read = false;
      return std::optional<std::size_t>(static_cast<std::size_t>(size));
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return peer_failed(errno);
    events_.can_read = false;
    return std::optional<std::size_t>();
  }
}

Result<std::size_t> TcpStream::try_write(std::span<const std::string_view> pieces) {
  if (fd_ < 0) return closed_here();
  if (!events_.can_write) return std::size_t{0};
  std::array<iovec, kPiecesPerWrite> vectors;
  std::size_t count = 0;
  std::size_t offered = 0;
  for (const std::string_view piece : pieces.first(std::min(pieces.size(), kPiecesPerWrite))) {
    if (piece.empty()) continue;
    vectors[count++] = {const_cast<char*>(piece.data()), piece.size()};
    offered += piece.size();
  }
  if (offered == 0) return std::size_t{0};
  msghdr message{};
  message.msg_iov = vectors.data();
  message.msg_iovlen = count;
  for (;;) {
    const ssize_t size = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
    if (size >= 0) {
      events_.can_write = static_cast<std::size_t>(size) == offered;
      return static_cast<std::size_t>(size);
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return peer_failed(errno);
    events_.can_write = false;
    return std::size_t{0};
  }
}

void TcpStream::shutdown_write() {
  if (fd_ >= 0) ::shutdown(fd_, SHUT_WR);
}

void TcpStream::close() {
  if (fd_ < 0) return;
  poller_.remove(fd_, slot_);
  ::close(std::exchange(fd_, -1));
  events_.readable.notify_all();
  events_.writable.notify_all();
}

Task<Result<std::unique_ptr<Stream>>> tcp_connect(SocketPoller& poller, IpEndpoint peer, base::Deadline deadline) {
  const int fd = ::socket(peer.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) co_return cannot_connect(peer, errno);
  const bool pending = ::connect(fd, peer.address(), peer.size()) != 0;
  if (pending && errno != EINPROGRESS) {
    const int error = errno;
    ::close(fd);
    co_return cannot_connect(peer, error);
  }
  auto stream = std::make_unique<TcpStream>(poller, fd, peer);
  if (pending && !co_await stream->writable().wait(deadline)) {
    co_return std::unexpected(wait_error(co_await current_scope(), "connecting to " + peer.to_string()));
  }
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) co_return cannot_connect(peer, error);
  co_return std::unique_ptr<Stream>(std::move(stream));
}

TcpListener::TcpListener(SocketPoller& poller, int fd, const IpEndpoint& endpoint)
    : poller_(poller), fd_(fd), endpoint_(endpoint), slot_(poller.add(fd, events_)) {}

TcpListener::~TcpListener() {
  poller_.remove(fd_, slot_);
  ::close(fd_);
}

Result<std::unique_ptr<TcpListener>> TcpListener::open(SocketPoller& poller, const std::string& host,
                                                       std::uint16_t port) {
  const auto endpoint = IpEndpoint::parse(host == "localhost" ? "127.0.0.1" : host, port);
  if (!endpoint) {
    return fail(ErrorKind::invalid_request,
                fmt::format("Cannot listen on \"{}\": expected an IP address such as 127.0.0.1 or 0.0.0.0.", host));
  }
  const int fd = ::socket(endpoint->family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(ErrorKind::io, fmt::format("Cannot make a socket: {}.", describe(errno)));
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, endpoint->address(), endpoint->size()) != 0 || ::listen(fd, kBacklog) != 0) {
    const int error = errno;
    ::close(fd);
    if (error == EADDRINUSE) {
      return fail(
          ErrorKind::unavailable,
          fmt::format("Port {} on {} is taken by another program; stop it or choose another port.", port, host));
    }
    return fail(ErrorKind::unavailable, fmt::format("Cannot listen on {} port {}: {}.", host, port, describe(error)));
  }
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  STINT_ASSERT(getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) == 0);
  return std::make_unique<TcpListener>(poller, fd, IpEndpoint::from(reinterpret_cast<const sockaddr*>(&bound), size));
}

Result<std::unique_ptr<Stream>> TcpListener::try_accept() {
  for (;;) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = ::accept4(fd_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      const IpEndpoint endpoint = IpEndpoint::from(reinterpret_cast<const sockaddr*>(&peer), size);
      return std::make_unique<TcpStream>(poller_, fd, endpoint);
    }
    if (errno == EAGAIN) return std::unique_ptr<Stream>();
    // Connections that died in the backlog are skipped (accept(2)); running out of something is told.
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      return fail(ErrorKind::io, fmt::format("Cannot accept a connection: {}.", describe(errno)));
    }
  }
}

}  // namespace stint::net
