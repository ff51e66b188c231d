#include "platform/net/tcp.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "platform/base/limits.h"
#include "platform/net/ip_endpoint.h"
#include "tests/platform/net/socket_loop.h"

namespace stint::net {
namespace {

using testing::HasSubstr;

TEST(IpEndpoint, parses_literals_only) {
  EXPECT_EQ(IpEndpoint::parse("127.0.0.1", 80)->to_string(), "127.0.0.1:80");
  EXPECT_EQ(IpEndpoint::parse("::1", 80)->to_string(), "[::1]:80");
  EXPECT_EQ(IpEndpoint::parse("::1", 80)->port(), 80);
  EXPECT_FALSE(IpEndpoint::parse("localhost", 80));
  EXPECT_FALSE(IpEndpoint::parse("", 80));
}

class Tcp : public testing::Test {
 protected:
  Tcp() : listener_(*TcpListener::open(sockets_.poller, "127.0.0.1", 0)) {}

  Task<std::unique_ptr<Stream>> accept() {
    for (;;) {
      auto stream = listener_->try_accept();
      if (stream && *stream) co_return std::move(*stream);
      if (!co_await listener_->acceptable().wait(sockets_.soon())) co_return nullptr;
    }
  }
  Task<void> connect_both() {
    auto connected =
        co_await tcp_connect(sockets_.poller, *IpEndpoint::parse("127.0.0.1", listener_->port()), sockets_.soon());
    if (connected) client_ = std::move(*connected);
    server_ = co_await accept();
  }
  void SetUp() override {
    sockets_.loop.run(connect_both());
    ASSERT_TRUE(client_ && server_);
  }

  SocketLoop sockets_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<Stream> client_;
  std::unique_ptr<Stream> server_;
};

Task<std::string> read_until_end(Stream& stream, base::Deadline deadline) {
  std::string all;
  std::vector<char> buffer(64 * 1024);
  for (;;) {
    const auto read = co_await read_some(stream, buffer, deadline);
    if (!read || *read == 0) co_return read ? all : "failed: " + read.error().message;
    all.append(buffer.data(), *read);
  }
}

Task<Result<void>> write_and_end(Stream& stream, std::string_view bytes, base::Deadline deadline) {
  auto written = co_await write_all(stream, bytes, deadline);
  stream.shutdown_write();
  co_return written;
}

Task<bool> transfer(Stream& from, Stream& to, std::string bytes, base::Deadline deadline) {
  TaskGroup group(co_await current_scope());
  const auto write = [](Stream& stream, std::string_view text, base::Deadline limit) -> Task<void> {
    EXPECT_TRUE(co_await write_and_end(stream, text, limit));
  };
  group.spawn(write(from, bytes, deadline));
  const std::string received = co_await read_until_end(to, deadline);
  co_await group.join();
  co_return received == bytes;
}

TEST_F(Tcp, carries_megabytes_both_ways) {
  std::string bytes(5 * base::kMiB, 'x');
  for (std::size_t i = 0; i < bytes.size(); i += 97) bytes[i] = static_cast<char>('a' + i % 26);
  EXPECT_TRUE(sockets_.loop.run(transfer(*client_, *server_, bytes, sockets_.soon())));
  EXPECT_TRUE(sockets_.loop.run(transfer(*server_, *client_, bytes, sockets_.soon())));
}

Task<bool> wait_closed(Stream& stream, base::Deadline deadline) {
  co_return co_await stream.peer_closed().wait(deadline);
}

TEST_F(Tcp, a_peers_end_of_stream_is_noticed_while_its_bytes_are_unread) {
  const std::string_view bytes = "unread";
  ASSERT_TRUE(client_->try_write(std::span(&bytes, 1)));
  client_->shutdown_write();
  EXPECT_TRUE(sockets_.loop.run(wait_closed(*server_, sockets_.soon())));
  EXPECT_EQ(sockets_.loop.run(read_until_end(*server_, sockets_.soon())), "unread");
}

TEST_F(Tcp, a_reset_is_noticed) {
  const std::string_view bytes = "unread";
  ASSERT_TRUE(server_->try_write(std::span(&bytes, 1)));
  const auto readable = [](Stream& stream, base::Deadline deadline) -> Task<bool> {
    co_return co_await stream.readable().wait(deadline);
  };
  ASSERT_TRUE(sockets_.loop.run(readable(*client_, sockets_.soon())));
  client_->close();  // with unread bytes: the kernel resets
  EXPECT_TRUE(sockets_.loop.run(wait_closed(*server_, sockets_.soon())));
  EXPECT_THAT(sockets_.loop.run(read_until_end(*server_, sockets_.soon())), HasSubstr("The connection broke"));
}

TEST_F(Tcp, the_latchs_callback_may_destroy_the_stream) {
  server_->peer_closed().on_set([this] {
    server_.reset();
    sockets_.loop.stop();
  });
  client_->close();
  sockets_.loop.run();
  EXPECT_FALSE(server_);
}

TEST_F(Tcp, a_taken_port_is_told_in_one_sentence) {
  const auto second = TcpListener::open(sockets_.poller, "127.0.0.1", listener_->port());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            fmt::format("Port {} on 127.0.0.1 is taken by another program; stop it or choose another port.",
                        listener_->port()));
  EXPECT_THAT(TcpListener::open(sockets_.poller, "somewhere", 1).error().message, HasSubstr("expected an IP address"));
  EXPECT_THAT(TcpListener::open(sockets_.poller, "203.0.113.1", 0).error().message, HasSubstr("Cannot listen on"));
}

TEST_F(Tcp, connecting_to_a_closed_port_names_it) {
  const std::uint16_t port = listener_->port();
  listener_.reset();
  const auto refused =
      sockets_.loop.run(tcp_connect(sockets_.poller, *IpEndpoint::parse("127.0.0.1", port), sockets_.soon()));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(refused.error().message, HasSubstr(fmt::format("Cannot connect to 127.0.0.1:{}", port)));
}

}  // namespace
}  // namespace stint::net
