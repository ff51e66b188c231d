#include "platform/net/client.h"

#include "platform/net/http1_input.h"
#include "platform/net/tcp.h"
#include "platform/net/tls.h"

namespace stint::net {

namespace {

using Event = Http1Decoder::Event;

constexpr int kInterimResponseCountMax = 8;

std::string host_field(const Url& url) {
  const bool bracketed = url.authority.host.find(':') != std::string::npos;
  std::string field = bracketed ? fmt::format("[{}]", url.authority.host) : url.authority.host;
  if (url.authority.port) field += fmt::format(":{}", *url.authority.port);
  return field;
}

std::string compose(const ClientRequest& request) {
  Headers headers;
  headers.add("host", host_field(request.url));
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    if (equals_ignoring_case(request.headers.name(i), "host")) continue;
    headers.add(request.headers.name(i), request.headers.value(i));
  }
  headers.set("connection", "close");
  const bool needs_length = !request.body.empty() || request.method == "POST" || request.method == "PUT";
  if (needs_length) headers.set("content-length", fmt::format_int(request.body.size()).c_str());
  std::string text;
  append_request_head(text, request.method, request.url.target, headers);
  return text += request.body;
}

class Http1Response final : public ClientResponse {
 public:
  Http1Response(std::unique_ptr<Stream> stream, base::Duration body_stall_timeout)
      : stream_(std::move(stream)),
        input_(*stream_, Http1Decoder::Role::response),
        body_stall_timeout_(body_stall_timeout) {}

  const HttpResponseHead& head() const override { return head_; }

  Task<Result<void>> read_head(bool head_request, base::Deadline deadline) {
    for (int i = 0; i < kInterimResponseCountMax; ++i) {
      input_.decoder().start_next(head_request);
      const auto event = co_await input_.next_event(deadline);
      if (!event) co_return std::unexpected(event.error());
      if (*event == Event::need_input) co_return fail(ErrorKind::io, "The server closed the connection unanswered.");
      if (*event == Event::failed) co_return malformed();
      head_ = input_.decoder().response();
      if (head_.status == 101) co_return fail(ErrorKind::io, "The server switched to another protocol unasked.");
      if (head_.status >= 200) co_return Result<void>();
    }
    co_return fail(ErrorKind::io, "The server sent interim responses without an end.");
  }

  Task<Result<std::string_view>> read() override {
    const base::Clock& clock = (co_await current_scope()).loop().clock();
    const auto event = co_await input_.next_event(base::Deadline::after(clock, body_stall_timeout_));
    if (!event) co_return std::unexpected(event.error());
    if (*event == Event::failed) co_return malformed();
    co_return *event == Event::data ? input_.decoder().data() : std::string_view();
  }

 private:
  std::unexpected<Error> malformed() {
    return fail(ErrorKind::io, "The server's answer is broken: " + input_.decoder().failure().error.message);
  }

  const std::unique_ptr<Stream> stream_;
  Http1Input input_;
  const base::Duration body_stall_timeout_;
  HttpResponseHead head_;
};

std::unexpected<Error> about(const Url& url, Error error) {
  error.message = fmt::format("{}: {}", host_field(url), error.message);
  return std::unexpected(std::move(error));
}

}  // namespace

Task<Result<std::string>> ClientResponse::read_all(std::size_t size_max) {
  std::string all;
  for (;;) {
    const auto piece = co_await read();
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) co_return all;
    if (piece->size() > size_max - all.size()) {
      co_return fail(ErrorKind::too_large, fmt::format("The answer is larger than {} bytes.", size_max));
    }
    all.append(*piece);
  }
}

HttpClient::HttpClient(SocketPoller& poller, Resolver& resolver, std::shared_ptr<const TlsClientContext> tls,
                       ClientTimeouts timeouts)
    : poller_(poller), resolver_(resolver), tls_(std::move(tls)), timeouts_(timeouts) {}

Task<Result<std::unique_ptr<Stream>>> HttpClient::connect(Url url, base::Deadline deadline) {
  const base::Clock& clock = (co_await current_scope()).loop().clock();
  const std::string host = url.authority.host;
  const auto endpoints = co_await resolver_.resolve(host, url.port(), deadline);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  Result<std::unique_ptr<Stream>> stream = fail(ErrorKind::unavailable, "No address.");
  for (std::size_t i = 0; i < endpoints->size() && !stream; ++i) {
    // An address that does not answer leaves time for those behind it.
    const base::TimePoint now = clock.now();
    const auto share = (deadline.at - now) / static_cast<int>(endpoints->size() - i);
    stream = co_await tcp_connect(poller_, (*endpoints)[i], base::Deadline{now + share});
  }
  if (!stream || url.scheme != "https") co_return stream;
  if (!tls_) co_return fail(ErrorKind::unsupported, "https is not available: no certificate authorities are loaded.");
  co_return co_await tls_connect(tls_, std::move(*stream), host, deadline);
}

Task<Result<std::unique_ptr<ClientResponse>>> HttpClient::send(ClientRequest request) {
  const Url url = request.url;
  const base::Clock& clock = (co_await current_scope()).loop().clock();
  auto stream = co_await connect(url, base::Deadline::after(clock, timeouts_.connect));
  if (!stream) co_return about(url, stream.error());
  auto response = co_await send_over(std::move(*stream), std::move(request), timeouts_);
  if (!response) co_return about(url, response.error());
  co_return response;
}

Task<Result<std::unique_ptr<ClientResponse>>> send_over(std::unique_ptr<Stream> stream, ClientRequest request,
                                                        ClientTimeouts timeouts) {
  const base::Clock& clock = (co_await current_scope()).loop().clock();
  const std::string text = compose(request);
  // A server may answer and close before it has read everything (413): its answer counts more than our failure to send
  // the rest.
  const auto sent = co_await write_all(*stream, text, base::Deadline::after(clock, timeouts.write_stall));
  if (!sent && sent.error().kind != ErrorKind::io) co_return std::unexpected(sent.error());
  auto response = std::make_unique<Http1Response>(std::move(stream), timeouts.body_stall);
  const auto head = co_await response->read_head(request.method == "HEAD", base::Deadline::after(clock, timeouts.head));
  if (!head) co_return std::unexpected(sent ? head.error() : sent.error());
  co_return std::unique_ptr<ClientResponse>(std::move(response));
}

}  // namespace stint::net
