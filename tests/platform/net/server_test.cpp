#include "platform/net/server.h"

#include <gtest/gtest.h>

#include "platform/net/http1_connection.h"
#include "platform/net/http1_exchange.h"
#include "platform/net/http1_input.h"
#include "platform/net/server_exchange.h"
#include "tests/platform/net/server_fixture.h"

namespace stint::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

class Server : public ServerFixture {};

TEST_F(Server, keeps_the_connection_for_further_requests) {
  connect();
  EXPECT_EQ(exchange(kGet), answer("GET /a []"));
  EXPECT_EQ(exchange("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"), answer("POST /b [hi]"));
  EXPECT_FALSE(closed_by_server());
  EXPECT_EQ(server_.stats().request_count, 2u);
}

TEST_F(Server, answers_pipelined_requests_in_order) {
  connect();
  const std::string post = "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
  EXPECT_EQ(exchange(std::string(kGet) + post + std::string(kGet)),
            answer("GET /a []") + answer("POST /b [hi]") + answer("GET /a []"));
}

TEST_F(Server, reads_requests_that_come_byte_by_byte) {
  connect();
  server_end_->set_read_size_max(1);
  EXPECT_EQ(exchange("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"), answer("POST /b [hello]"));
}

TEST_F(Server, closes_when_asked_to_and_after_http_1_0) {
  connect();
  EXPECT_EQ(exchange("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
            answer("GET /a []", "connection: close\r\n"));
  EXPECT_TRUE(closed_by_server());
  connect();
  EXPECT_EQ(exchange("GET /a HTTP/1.0\r\n\r\n"), answer("GET /a []", "connection: close\r\n"));
  EXPECT_TRUE(closed_by_server());
  connect();
  EXPECT_EQ(exchange("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
            answer("GET /a []", "connection: keep-alive\r\n"));
  EXPECT_FALSE(closed_by_server());
}

TEST_F(Server, dates_its_answers) {
  connect();
  send(kGet);
  EXPECT_THAT(client().take_all(), HasSubstr("\r\ndate: Sun, 15 Jun 2025 15:06:41 GMT\r\n"));
}

TEST_F(Server, sends_no_body_to_head_requests) {
  connect();
  EXPECT_EQ(exchange("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n");
  EXPECT_EQ(exchange(kGet), answer("GET /a []"));
}

TEST_F(Server, refuses_malformed_requests_with_the_formatters_answer_and_closes) {
  connect();
  const std::string reply = exchange("GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(reply, HasSubstr("connection: close\r\n"));
  EXPECT_THAT(reply, HasSubstr("content-length header is not a plain number"));
  EXPECT_TRUE(closed_by_server());
  EXPECT_EQ(server_.stats().failure_count, 1u);
}

TEST_F(Server, refuses_heads_that_are_too_large) {
  connect();
  send("GET /a HTTP/1.1\r\nHost: x\r\nX: ");
  EXPECT_THAT(exchange(std::string(base::kRequestHeadSizeMax, 'a')), StartsWith("HTTP/1.1 431 "));
}

TEST_F(Server, refuses_other_expectations) {
  connect();
  EXPECT_THAT(exchange("GET /a HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n"), StartsWith("HTTP/1.1 417 "));
}

TEST_F(Server, tells_the_formatter_the_target_and_fields) {
  ServerSettings settings;
  settings.format_failure = [](const ProtocolFailure& failure) {
    HttpResponseHead head;
    head.headers.add("content-type", "application/json");
    return std::pair(std::move(head), fmt::format("{} {} {}", failure.status, failure.target,
                                                  failure.headers->find("anthropic-version").value_or("none")));
  };
  HttpServer server(fake_.loop(), handler_, budget_, settings);
  auto [server_end, client_end] = MemoryStream::make_pair();
  const std::string_view bytes =
      "POST /v1/messages HTTP/1.1\r\nHost: x\r\nanthropic-version: 7\r\nContent-Length: x\r\n\r\n";
  ASSERT_TRUE(client_end->try_write(std::span(&bytes, 1)));
  server.serve(std::move(server_end));
  fake_.settle();
  const std::string reply = client_end->take_all();
  EXPECT_THAT(reply, HasSubstr("content-type: application/json\r\n"));
  EXPECT_THAT(reply, EndsWith("\r\n\r\n400 /v1/messages 7"));
  fake_.loop().shutdown();
}

TEST_F(Server, closes_idle_connections_in_silence) {
  connect();
  exchange(kGet);
  fake_.advance(base::kKeepAliveIdleTimeout - milliseconds(1));
  EXPECT_FALSE(closed_by_server());
  fake_.advance(milliseconds(1));
  EXPECT_TRUE(closed_by_server());
  EXPECT_EQ(receive(), "");
  EXPECT_EQ(server_.stats().connection_count, 0u);
}

TEST_F(Server, answers_408_to_a_head_that_dribbles) {
  connect();
  for (int i = 0; i < 29; ++i) {
    send(kGet.substr(static_cast<std::size_t>(i) / 2, 1));
    fake_.advance(seconds(1));
  }
  EXPECT_EQ(receive(), "");
  fake_.advance(seconds(1));
  EXPECT_THAT(receive(), StartsWith("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST_F(Server, closes_a_connection_that_never_sends) {
  connect();
  fake_.advance(base::kRequestHeadTimeout);
  EXPECT_TRUE(closed_by_server());
  EXPECT_EQ(receive(), "");
}

TEST_F(Server, a_stalled_body_is_a_timeout_but_a_slow_one_is_not) {
  connect();
  send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n");
  for (const std::string_view byte : {"a", "b"}) {
    fake_.advance(base::kRequestBodyStallTimeout - milliseconds(1));
    send(byte);
  }
  EXPECT_EQ(receive(), "");
  fake_.advance(base::kRequestBodyStallTimeout);
  EXPECT_THAT(receive(), HasSubstr("timeout_request"));
}

TEST_F(Server, invites_the_body_only_when_the_handler_asks) {
  connect();
  const std::string_view head = "POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(exchange(head), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(exchange("hi"), answer("POST /b [hi]"));
  EXPECT_EQ(exchange(std::string(head) + "hi"), answer("POST /b [hi]"));
}

Task<void> refuse_strangers(ServerExchange& exchange) {
  HttpResponseHead head;
  head.status = 401;
  co_await exchange.respond(std::move(head), "who are you?");
}

TEST_F(Server, can_refuse_on_the_head_alone_without_inviting_the_body) {
  use_handler(refuse_strangers);
  connect();
  const std::string reply =
      exchange("POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 33554432\r\n\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 401 Unauthorized\r\n"));
  EXPECT_THAT(reply, HasSubstr("connection: close\r\n"));
  EXPECT_THAT(reply, Not(HasSubstr("100 Continue")));
}

TEST_F(Server, skips_a_small_unread_body_and_goes_on) {
  use_handler(refuse_strangers);
  connect();
  const std::string_view post = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
  EXPECT_THAT(exchange(post), Not(HasSubstr("close")));
  EXPECT_THAT(exchange("hello" + std::string(post) + "hello"), StartsWith("HTTP/1.1 401"));
  EXPECT_FALSE(closed_by_server());
}

TEST_F(Server, answers_413_before_reading_the_rest_and_drops_what_still_comes) {
  connect();
  const std::string reply = exchange("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 33554433\r\n\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_THAT(reply, HasSubstr("too_large"));
  // The sending side is closed; reading goes on, so that the client can finish writing and read the answer.
  EXPECT_TRUE(closed_by_server());
  send(std::string(8 * base::kMiB, 'a'));
  EXPECT_EQ(server_.stats().connection_count, 1u);
  client().shutdown_write();
  fake_.settle();
  EXPECT_EQ(server_.stats().connection_count, 0u);
}

TEST_F(Server, drops_what_still_comes_for_a_bounded_time) {
  connect();
  exchange("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 33554433\r\n\r\n");
  fake_.advance(seconds(5));
  EXPECT_EQ(server_.stats().connection_count, 0u);
}

TEST_F(Server, bounds_a_chunked_body_as_it_grows) {
  use_handler([](ServerExchange& exchange) -> Task<void> {
    const auto body = co_await exchange.read_body(10);
    co_await exchange.respond({}, body ? **body : std::string(base::to_string(body.error().kind)));
  });
  connect();
  const std::string head = "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(exchange(head + "6\r\nabcdef\r\n4\r\nghij\r\n0\r\n\r\n"), HasSubstr("abcdefghij"));
  EXPECT_THAT(exchange(head + "6\r\nabcdef\r\n5\r\nghijk\r\n0\r\n\r\n"), HasSubstr("too_large"));
}

TEST_F(Server, bounds_all_bodies_together_and_frees_them_after_the_answer) {
  use_handler([](ServerExchange& exchange) -> Task<void> {
    const auto body = co_await exchange.read_body();
    co_await exchange.respond({}, body ? "fine" : std::string(base::to_string(body.error().kind)));
  });
  connect();
  const std::string large(base::kMiB, 'a');
  const std::string head = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n";
  EXPECT_THAT(exchange(head + large), HasSubstr("fine"));
  EXPECT_THAT(exchange(head + large), HasSubstr("fine"));
  EXPECT_EQ(budget_.in_flight_size(), 0u);
  ASSERT_TRUE(budget_.try_take(1));
  EXPECT_THAT(exchange(head + large), HasSubstr("overloaded"));
  EXPECT_EQ(budget_.in_flight_size(), 1u);
}

TEST_F(Server, a_malformed_chunked_body_reaches_the_handler_as_an_error_and_ends_the_connection) {
  connect();
  const std::string reply = exchange("POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  EXPECT_THAT(reply, HasSubstr("invalid_request"));
  EXPECT_THAT(reply, HasSubstr("connection: close"));
}

TEST_F(Server, more_connections_than_allowed_are_closed_at_once) {
  ServerSettings settings;
  settings.connection_count_max = 1;
  HttpServer small(fake_.loop(), handler_, budget_, settings);
  auto [first, first_client] = MemoryStream::make_pair();
  auto [second, second_client] = MemoryStream::make_pair();
  small.serve(std::move(first));
  small.serve(std::move(second));
  fake_.settle();
  EXPECT_FALSE(first_client->peer_closed().is_set());
  EXPECT_TRUE(second_client->peer_closed().is_set());
  EXPECT_EQ(small.stats().refused_count, 1u);
  fake_.loop().shutdown();
}

TEST_F(Server, a_handler_without_an_answer_closes_the_connection) {
  use_handler([](ServerExchange&) -> Task<void> { co_return; });
  connect();
  EXPECT_EQ(exchange(kGet), "");
  EXPECT_TRUE(closed_by_server());
}

TEST_F(Server, no_value_can_smuggle_a_line_into_the_answer) {
  use_handler([](ServerExchange& exchange) -> Task<void> {
    HttpResponseHead head;
    head.headers.add("x-model", "evil\r\nset-cookie: a=b");
    co_await exchange.respond(std::move(head), "");
  });
  connect();
  EXPECT_THAT(exchange(kGet), HasSubstr("x-model: evil  set-cookie: a=b\r\n"));
}

TEST_F(Server, half_closed_clients_get_all_their_answers) {
  connect();
  client().shutdown_write();
  auto [server_end, client_end] = MemoryStream::make_pair();
  const std::string two = std::string(kGet) + std::string(kGet);
  const std::string_view bytes = two;
  ASSERT_TRUE(client_end->try_write(std::span(&bytes, 1)));
  client_end->shutdown_write();
  server_.serve(std::move(server_end));
  fake_.settle();
  EXPECT_EQ(without_dates(client_end->take_all()), answer("GET /a []") + answer("GET /a []"));
  EXPECT_TRUE(client_end->peer_closed().is_set());
}

}  // namespace
}  // namespace stint::net
