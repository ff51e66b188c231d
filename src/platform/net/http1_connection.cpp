#include "platform/net/http1_connection.h"

namespace stint::net {

namespace {

using Event = Http1Decoder::Event;

// After an answer that came before the end of the request, what the client still sends is dropped for so long and so
// much: closing at once would reset the connection, and the reset would destroy the answer on its way (RFC 9112
// section 9.6).
constexpr std::chrono::seconds kLingerTimeout{5};
constexpr std::size_t kLingerSizeMax = 2 * base::kRequestBodySizeMax + base::kMiB;

}  // namespace

Http1Connection::Http1Connection(const Server& server, std::unique_ptr<Stream> stream)
    : server_(server),
      stream_(std::move(stream)),
      input_(*stream_, Http1Decoder::Role::request),
      output_(*stream_, server.settings.write_stall_timeout) {}

Task<void> Http1Connection::run() {
  TaskGroup pump(co_await current_scope());
  pump.spawn(output_.pump());
  scope_.emplace(co_await current_scope());
  co_await serve_requests().run_in(*scope_);
  if (scope_->cancelled() || !co_await output_.wait_until_sent()) stream_->close();
  output_.stop();
  co_await pump.join();
  stream_->close();
}

void Http1Connection::drain() {
  draining_ = true;
  if (idle_) stream_->close();
}

void Http1Connection::abort() {
  draining_ = true;
  if (scope_) scope_->cancel();
  stream_->close();
}

Task<void> Http1Connection::serve_requests() {
  base::Duration first_byte_timeout = server_.settings.head_timeout;
  while (co_await serve_one(first_byte_timeout)) {
    input_.decoder().start_next();
    first_byte_timeout = server_.settings.idle_timeout;
  }
}

// True if another request may follow.
Task<bool> Http1Connection::serve_one(base::Duration first_byte_timeout) {
  idle_ = true;
  if (draining_) co_return false;
  const auto first_byte =
      co_await input_.wait_for_first_byte(base::Deadline::after(server_.loop.clock(), first_byte_timeout));
  if (!first_byte || !*first_byte) co_return false;
  idle_ = false;

  const auto event =
      co_await input_.next_event(base::Deadline::after(server_.loop.clock(), server_.settings.head_timeout));
  if (event && *event == Event::head) co_return co_await answer();
  if (event && *event == Event::failed) {
    const Http1Failure& failure = input_.decoder().failure();
    co_await refuse(failure.status, failure.error);
  }
  if (!event && event.error().kind == ErrorKind::timeout && input_.decoder().inside_head()) {
    co_await refuse(408, Error{ErrorKind::timeout_request, "The head of the request did not come in time.", {}, {}});
  }
  co_return false;
}

Task<bool> Http1Connection::answer() {
  ++server_.stats.request_count;
  const HttpRequest& request = input_.decoder().request();
  const auto expectation = request.headers.find("expect");
  if (expectation && !equals_ignoring_case(*expectation, "100-continue")) {
    co_await refuse(417, Error{ErrorKind::unsupported, "The only expectation understood is 100-continue.", {}, {}});
    co_return false;
  }
  Http1Exchange exchange({*stream_, input_, output_, server_.budget, server_.date, server_.loop.clock(),
                          server_.settings.body_stall_timeout, draining_});
  co_await server_.handler.handle(exchange);
  stream_->peer_closed().on_set({});  // the handler's callback must not outlive what it refers to
  if (co_await exchange.finish_for_next()) co_return true;
  if (exchange.complete() && (exchange.body_unread() || input_.has_bytes())) co_await linger();
  co_return false;
}

Task<void> Http1Connection::refuse(int status, Error error) {
  ++server_.stats.failure_count;
  const HttpRequest& request = input_.decoder().request();
  auto [head, body] = server_.settings.format_failure({status, std::move(error), request.target, &request.headers});
  head.status = status;
  head.headers.set("content-length", fmt::format_int(body.size()).c_str());
  head.headers.set("date", server_.date.at(server_.loop.clock().unix_seconds()));
  head.headers.set("connection", "close");
  std::string text;
  append_response_head(text, head.status, head.headers);
  if (request.method != "HEAD") text += body;
  if (!co_await output_.wait_for_room(text.size(), base::Deadline::never())) co_return;
  const std::string_view piece = text;
  if (output_.push(std::span(&piece, 1))) co_await linger();
}

Task<void> Http1Connection::linger() {
  if (!co_await output_.wait_until_sent()) co_return;
  stream_->shutdown_write();
  co_await input_.discard(kLingerSizeMax, base::Deadline::after(server_.loop.clock(), kLingerTimeout));
}

}  // namespace stint::net
