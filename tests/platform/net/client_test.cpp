#include "platform/net/client.h"

#include <gtest/gtest.h>

#include "platform/net/memory_stream.h"
#include "platform/net/server.h"
#include "platform/net/tls.h"
#include "tests/fakes/fake_loop.h"
#include "tests/platform/net/server_fixture.h"
#include "tests/platform/net/socket_loop.h"
#include "tests/platform/net/test_certificate.h"

namespace stint::net {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class ClientOverMemory : public testing::Test {
 protected:
  ClientOverMemory() {
    auto [client_end, server_end] = MemoryStream::make_pair();
    server_ = std::move(server_end);
    fake_.start(
        send_over(std::move(client_end), {.url = *parse_url("http://host:8080/file?x"), .headers = {{"a", "b"}}}, {}),
        response_);
  }
  ~ClientOverMemory() override { fake_.loop().shutdown(); }

  void serve(std::string_view bytes) {
    ASSERT_TRUE(server_->try_write(std::span(&bytes, 1)));
    fake_.settle();
  }
  Result<std::string> read_all(std::size_t size_max = 1000) { return fake_.run((**response_)->read_all(size_max)); }

  fakes::FakeLoop fake_;
  std::unique_ptr<MemoryStream> server_;
  std::optional<Result<std::unique_ptr<ClientResponse>>> response_;
};

TEST_F(ClientOverMemory, sends_a_plain_request) {
  EXPECT_EQ(server_->take_all(), "GET /file?x HTTP/1.1\r\nhost: host:8080\r\na: b\r\nconnection: close\r\n\r\n");
}

TEST_F(ClientOverMemory, reads_answers_of_every_framing) {
  serve(
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 206 Partial Content\r\nETag: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  ASSERT_TRUE(response_ && *response_);
  EXPECT_EQ((**response_)->head().status, 206);
  EXPECT_EQ((**response_)->head().headers.find("etag"), "x");
  serve("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(read_all(), "abcde");
}

TEST_F(ClientOverMemory, a_body_that_lasts_until_close_ends_with_it) {
  serve("HTTP/1.0 200 OK\r\n\r\nabc");
  server_->shutdown_write();
  EXPECT_EQ(read_all(), "abc");
}

TEST_F(ClientOverMemory, a_body_cut_short_is_an_error) {
  serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc");
  server_->shutdown_write();
  const auto body = read_all();
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().kind, ErrorKind::io);
}

TEST_F(ClientOverMemory, bounds_what_it_collects) {
  serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde");
  EXPECT_EQ(read_all(4).error().kind, ErrorKind::too_large);
}

TEST_F(ClientOverMemory, an_early_close_and_malformed_heads_are_errors) {
  serve("HTTP/1.1 2000 OK\r\n\r\n");
  ASSERT_TRUE(response_);
  EXPECT_THAT(response_->error().message, HasSubstr("answer is broken"));
}

TEST_F(ClientOverMemory, waits_for_the_head_and_for_each_piece_only_so_long) {
  std::optional<Result<std::string_view>> piece;
  serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  fake_.start((**response_)->read(), piece);
  fake_.advance(seconds(29));
  EXPECT_FALSE(piece);
  fake_.advance(seconds(1));
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->error().kind, ErrorKind::timeout);
}

TEST_F(ClientOverMemory, a_silent_server_is_a_timeout) {
  fake_.advance(seconds(30));
  ASSERT_TRUE(response_);
  EXPECT_EQ(response_->error().kind, ErrorKind::timeout);
}

// The whole way: resolver, TCP, TLS, server.
class ClientOverSockets : public testing::Test {
 protected:
  ClientOverSockets()
      : resolver_([](const std::string& host, std::uint16_t port) -> Result<std::vector<IpEndpoint>> {
          if (host != "localhost") return fail(ErrorKind::unavailable, "The name is unknown.");
          // Nobody listens on the first: the second is tried.
          return std::vector{*IpEndpoint::parse("127.255.255.254", port), *IpEndpoint::parse("127.0.0.1", port)};
        }) {}
  ~ClientOverSockets() override { sockets_.loop.run(server_.drain(sockets_.soon())); }

  Result<std::string> fetch(const std::string& url, std::string body = "") {
    return sockets_.loop.run(
        fetch_task({.method = "POST", .url = *parse_url(url), .headers = {}, .body = std::move(body)}));
  }
  Task<Result<std::string>> fetch_task(ClientRequest request) {
    HttpClient client(sockets_.poller, resolver_, tls_);
    auto response = co_await client.send(std::move(request));
    if (!response) co_return std::unexpected(response.error());
    co_return co_await (*response)->read_all(64 * base::kMiB);
  }

  SocketLoop sockets_;
  Resolver resolver_;
  std::shared_ptr<const TlsClientContext> tls_;
  BodyBudget budget_;
  FunctionHandler handler_{echo};
  HttpServer server_{sockets_.loop, handler_, budget_, {}};
};

TEST_F(ClientOverSockets, fetches_over_tcp) {
  ASSERT_TRUE(server_.listen(sockets_.poller, "127.0.0.1", 0));
  const std::string url = fmt::format("http://localhost:{}/a", server_.port());
  EXPECT_EQ(fetch(url, "hi"), "POST /a [hi]");
  const std::string large(base::kRequestBodySizeMax, 'x');
  EXPECT_EQ(fetch(url, large), "POST /a [" + large + "]");
}

TEST_F(ClientOverSockets, a_body_over_the_limit_gets_its_413_and_no_reset) {
  ASSERT_TRUE(server_.listen(sockets_.poller, "127.0.0.1", 0));
  const std::string url = fmt::format("http://localhost:{}/a", server_.port());
  EXPECT_EQ(fetch(url, std::string(2 * base::kRequestBodySizeMax, 'x')), "too_large");
  EXPECT_EQ(fetch(url, "hi"), "POST /a [hi]");
}

TEST_F(ClientOverSockets, fetches_over_tls_and_verifies) {
  const TestCertificate certificate = make_test_certificate();
  const auto context = TlsServerContext::make(certificate.certificate_pem, certificate.key_pem);
  ASSERT_TRUE(server_.listen(sockets_.poller, "127.0.0.1", 0, *context));
  const std::string url = fmt::format("https://localhost:{}/a", server_.port());
  EXPECT_THAT(fetch(url).error().message, HasSubstr("no certificate authorities"));
  tls_ = *TlsClientContext::make_trusting(certificate.certificate_pem);
  const std::string large(base::kMiB, 'x');
  EXPECT_EQ(fetch(url, large), "POST /a [" + large + "]");
  tls_ = *TlsClientContext::make_trusting(make_test_certificate().certificate_pem);
  EXPECT_THAT(fetch(url).error().message, HasSubstr("self-signed"));
}

TEST_F(ClientOverSockets, says_which_host_cannot_be_reached) {
  EXPECT_THAT(fetch("http://nowhere/").error().message, HasSubstr("nowhere: The name is unknown."));
  EXPECT_THAT(fetch("http://127.0.0.1:1/").error().message, HasSubstr("Cannot connect to 127.0.0.1:1"));
}

}  // namespace
}  // namespace stint::net
