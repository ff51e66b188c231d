#include "platform/net/server.h"

#include <unordered_set>

#include "platform/base/assert.h"
#include "platform/net/http1_connection.h"
#include "platform/net/tcp.h"
#include "platform/net/tls.h"

namespace stint::net {

namespace {

// How long accepting rests when the process is out of descriptors: others must close theirs first.
constexpr std::chrono::milliseconds kAcceptRest{100};

}  // namespace

class HttpServer::State {
 public:
  State(Loop& loop, Handler& handler, BodyBudget& budget, ServerSettings settings)
      : settings_(std::move(settings)), server_{loop, handler, budget, settings_, stats_, date_} {}
  ~State() { STINT_ASSERT(connections_.empty() && task_count_ == 0); }

  void listen(std::unique_ptr<TcpListener> listener, std::shared_ptr<const TlsServerContext> tls) {
    STINT_ASSERT(!listener_ && !stopping_);
    listener_ = std::move(listener);
    tls_ = std::move(tls);
    spawn(accept_connections());
  }

  void serve(std::unique_ptr<Stream> stream) {
    ++stats_.accepted_count;
    if (stats_.connection_count >= settings_.connection_count_max || stopping_) {
      ++stats_.refused_count;
      return;
    }
    ++stats_.connection_count;
    spawn(run_connection(std::move(stream)));
  }

  Task<void> drain(base::Deadline deadline) {
    stopping_ = true;
    if (listener_) listener_->acceptable().notify_all();
    for_each_connection(&Http1Connection::drain);
    for (Stream* stream : handshaking_) stream->close();
    while (task_count_ > 0) {
      if (!co_await task_ended_.wait(deadline)) break;
    }
    aborting_ = true;
    for_each_connection(&Http1Connection::abort);
    // What is left unwinds within a turn of the loop, unless a handler waits for a worker's job.
    while (task_count_ > 0 && co_await task_ended_.wait(base::Deadline::never())) {
    }
  }

  const ServerStats& stats() const { return stats_; }
  std::uint16_t port() const { return port_; }
  void set_port(std::uint16_t port) { port_ = port; }

 private:
  void spawn(Task<void> task) {
    ++task_count_;
    server_.loop.spawn(count_end(std::move(task)));
  }

  Task<void> count_end(Task<void> task) {
    co_await std::move(task);
    --task_count_;
    task_ended_.notify_all();
  }

  void for_each_connection(void (Http1Connection::*action)()) {
    for (Http1Connection* connection : connections_) (connection->*action)();
  }

  Task<void> accept_connections() {
    const base::Clock& clock = server_.loop.clock();
    while (!stopping_) {
      auto stream = listener_->try_accept();
      if (!stream) {
        if (!co_await sleep_until(base::Deadline::after(clock, kAcceptRest))) break;
      } else if (*stream) {
        serve(std::move(*stream));
      } else if (!co_await listener_->acceptable().wait(base::Deadline::never())) {
        break;
      }
    }
    listener_.reset();
  }

  Task<void> run_connection(std::unique_ptr<Stream> stream) {
    if (tls_) {
      Stream* const plain = stream.get();
      handshaking_.insert(plain);
      auto secured = co_await tls_accept(tls_, std::move(stream),
                                         base::Deadline::after(server_.loop.clock(), settings_.head_timeout));
      handshaking_.erase(plain);
      stream = secured ? std::move(*secured) : nullptr;
    }
    if (stream) {
      Http1Connection connection(server_, std::move(stream));
      connections_.insert(&connection);
      if (stopping_) connection.drain();
      if (aborting_) connection.abort();
      co_await connection.run();
      connections_.erase(&connection);
    }
    --stats_.connection_count;
  }

  const ServerSettings settings_;
  ServerStats stats_;
  HttpDate date_;
  const Http1Connection::Server server_;
  std::unique_ptr<TcpListener> listener_;
  std::shared_ptr<const TlsServerContext> tls_;
  std::uint16_t port_ = 0;
  std::unordered_set<Http1Connection*> connections_;
  std::unordered_set<Stream*> handshaking_;
  std::size_t task_count_ = 0;
  Notify task_ended_;
  bool stopping_ = false;
  bool aborting_ = false;
};

HttpServer::HttpServer(Loop& loop, Handler& handler, BodyBudget& budget, ServerSettings settings)
    : state_(std::make_unique<State>(loop, handler, budget, std::move(settings))) {}

HttpServer::~HttpServer() = default;

Result<void> HttpServer::listen(SocketPoller& poller, const std::string& host, std::uint16_t port,
                                std::shared_ptr<const TlsServerContext> tls) {
  auto listener = TcpListener::open(poller, host, port);
  if (!listener) return std::unexpected(listener.error());
  state_->set_port((*listener)->port());
  state_->listen(std::move(*listener), std::move(tls));
  return {};
}

std::uint16_t HttpServer::port() const {
  return state_->port();
}

void HttpServer::serve(std::unique_ptr<Stream> stream) {
  state_->serve(std::move(stream));
}

Task<void> HttpServer::drain(base::Deadline deadline) {
  return state_->drain(deadline);
}

const ServerStats& HttpServer::stats() const {
  return state_->stats();
}

}  // namespace stint::net
