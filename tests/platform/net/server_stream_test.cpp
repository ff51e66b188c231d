// Streamed answers, clients that leave, back-pressure and drain.
#include <gtest/gtest.h>

#include "tests/platform/net/server_fixture.h"

namespace stint::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

// A handler that does what the test tells it, step by step.
class ServerStream : public ServerFixture {
 protected:
  ServerStream() : ServerFixture([this](ServerExchange& exchange) { return follow(exchange); }) {}

  ~ServerStream() override { fake_.loop().shutdown(); }

  Task<void> follow(ServerExchange& exchange) {
    ++handler_count_;
    gone_ = &exchange.client_gone();
    exchange.client_gone().on_set([this] { ++gone_count_; });
    co_await exchange.start({});
    while (!stop_) {
      while (!to_write_.empty()) {
        const std::string bytes = std::exchange(to_write_, {});
        last_write_.reset();
        last_write_ = co_await exchange.write(bytes, base::Deadline::after(fake_.clock(), write_timeout_));
        if (!*last_write_) co_return finished();
      }
      if (!stop_ && !co_await step_.wait(base::Deadline::never())) co_return finished();
    }
    if (finish_) co_await exchange.finish();
    finished();
  }
  void finished() { --handler_count_; }

  void write(std::string bytes) {
    to_write_ += bytes;
    step_.notify_all();
    fake_.settle();
  }
  void stop(bool finish) {
    stop_ = true;
    finish_ = finish;
    step_.notify_all();
    fake_.settle();
  }

  Notify step_;
  std::string to_write_;
  std::optional<Result<void>> last_write_;
  base::Duration write_timeout_ = seconds(3600);
  Latch* gone_ = nullptr;
  int gone_count_ = 0;
  int handler_count_ = 0;
  bool stop_ = false;
  bool finish_ = false;
};

TEST_F(ServerStream, each_write_leaves_at_once_as_a_chunk_and_the_head_with_the_first) {
  connect();
  EXPECT_EQ(exchange(kGet), "");
  write("hello");
  EXPECT_EQ(receive(), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n");
  write("0123456789abcdef");
  EXPECT_EQ(receive(), "10\r\n0123456789abcdef\r\n");
  stop(true);
  EXPECT_EQ(receive(), "0\r\n\r\n");
  EXPECT_FALSE(closed_by_server());
}

TEST_F(ServerStream, ends_by_close_towards_http_1_0) {
  connect();
  send("GET /a HTTP/1.0\r\n\r\n");
  write("hello");
  stop(true);
  EXPECT_EQ(receive(), "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello");
  EXPECT_TRUE(closed_by_server());
}

TEST_F(ServerStream, an_empty_stream_is_a_complete_answer) {
  connect();
  send(kGet);
  stop(true);
  EXPECT_EQ(receive(), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n");
}

TEST_F(ServerStream, an_unfinished_stream_is_cut_so_that_the_client_sees_it) {
  connect();
  send(kGet);
  write("hello");
  stop(false);
  EXPECT_THAT(receive(), EndsWith("5\r\nhello\r\n"));
  EXPECT_TRUE(closed_by_server());
}

TEST_F(ServerStream, a_client_that_leaves_is_noticed_in_the_same_turn) {
  connect();
  send(kGet);
  write("hello");
  client().close();
  EXPECT_EQ(gone_count_, 1);
  write("more");
  ASSERT_TRUE(last_write_);
  EXPECT_EQ(last_write_->error().kind, ErrorKind::cancelled);
  EXPECT_EQ(handler_count_, 0);
  EXPECT_EQ(server_.stats().connection_count, 0u);
}

TEST_F(ServerStream, a_half_closed_client_counts_as_gone_even_with_requests_queued) {
  connect();
  send(std::string(kGet) + std::string(kGet));
  client().shutdown_write();
  EXPECT_EQ(gone_count_, 1);
}

TEST_F(ServerStream, a_client_that_leaves_after_its_answer_calls_nobody_back) {
  connect();
  send(kGet);
  stop(true);
  client().close();
  fake_.settle();
  EXPECT_EQ(gone_count_, 0);
}

TEST_F(ServerStream, a_reset_is_noticed) {
  connect();
  send(kGet);
  client().reset();
  EXPECT_EQ(gone_count_, 1);
  write("hello");
  EXPECT_EQ(handler_count_, 0);
}

TEST_F(ServerStream, a_slow_reader_holds_the_writer_back_within_the_bound) {
  connect(4096);
  send(kGet);
  const std::string large(2 * base::kMiB, 'a');
  write(large);
  EXPECT_FALSE(last_write_);  // write() still waits
  std::string received = receive();
  stop(true);
  received += receive();
  EXPECT_TRUE(last_write_ && last_write_->has_value());
  EXPECT_EQ(static_cast<std::size_t>(std::count(received.begin(), received.end(), 'a')), large.size() + 1);
  EXPECT_THAT(received, EndsWith("\r\n0\r\n\r\n"));
}

TEST_F(ServerStream, small_writes_go_on_while_the_client_pauses) {
  connect(64);
  send(kGet);
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    write("event " + std::to_string(i % 10));
    ASSERT_TRUE(last_write_ && last_write_->has_value());
    expected += "7\r\nevent " + std::to_string(i % 10) + "\r\n";
  }
  EXPECT_THAT(receive(), EndsWith(expected));
}

TEST_F(ServerStream, a_reader_that_takes_nothing_is_cut_off) {
  connect(64);
  send(kGet);
  write(std::string(1000, 'a'));
  fake_.advance(base::kWriteStallTimeout - milliseconds(1));
  EXPECT_FALSE(closed_by_server());
  fake_.advance(milliseconds(1));
  EXPECT_TRUE(closed_by_server());
  write("more");
  EXPECT_EQ(handler_count_, 0);
  EXPECT_EQ(server_.stats().connection_count, 0u);
}

TEST_F(ServerStream, a_reader_that_takes_a_little_is_not_cut_off) {
  connect(64);
  send(kGet);
  write(std::string(1000, 'a'));
  std::array<char, 16> buffer;
  for (int i = 0; i < 10; ++i) {
    fake_.advance(base::kWriteStallTimeout - milliseconds(1));
    ASSERT_TRUE(client().try_read(buffer));
    fake_.settle();
  }
  EXPECT_FALSE(closed_by_server());
}

TEST_F(ServerStream, waiting_for_room_ends_at_the_writers_deadline) {
  write_timeout_ = seconds(1);
  connect(64);
  send(kGet);
  write(std::string(base::kMiB, 'a'));
  EXPECT_FALSE(last_write_);
  fake_.advance(seconds(1));
  ASSERT_TRUE(last_write_);
  EXPECT_EQ(last_write_->error().kind, ErrorKind::timeout);
}

Task<bool> drain(HttpServer& server, base::Deadline deadline) {
  co_await server.drain(deadline);
  co_return true;
}

TEST_F(ServerStream, drain_closes_idle_connections_and_lets_exchanges_finish) {
  auto [idle, idle_client] = MemoryStream::make_pair();
  server_.serve(std::move(idle));
  connect();
  send(kGet);
  write("hello");
  std::optional<bool> drained;
  fake_.start(drain(server_, base::Deadline::after(fake_.clock(), seconds(10))), drained);
  EXPECT_TRUE(idle_client->peer_closed().is_set());
  EXPECT_FALSE(closed_by_server());
  write("world");
  stop(true);
  EXPECT_THAT(receive(), EndsWith("5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"));
  EXPECT_EQ(drained, true);
  EXPECT_TRUE(closed_by_server());
}

TEST_F(ServerStream, drain_cancels_what_is_left_at_its_deadline) {
  connect();
  send(kGet);
  write("hello");
  std::optional<bool> drained;
  fake_.start(drain(server_, base::Deadline::after(fake_.clock(), seconds(10))), drained);
  fake_.advance(seconds(10) - milliseconds(1));
  EXPECT_FALSE(drained);
  fake_.advance(milliseconds(1));
  EXPECT_EQ(drained, true);
  EXPECT_EQ(handler_count_, 0);
}

TEST_F(ServerStream, answers_that_start_during_a_drain_announce_the_close) {
  use_handler([this](ServerExchange& exchange) -> Task<void> {
    co_await step_.wait(base::Deadline::never());
    co_await exchange.respond({}, "late");
  });
  connect();
  send(kGet);
  std::optional<bool> drained;
  fake_.start(drain(server_, base::Deadline::never()), drained);
  step_.notify_all();
  fake_.settle();
  EXPECT_EQ(receive(), answer("late", "connection: close\r\n"));
  EXPECT_EQ(drained, true);
}

}  // namespace
}  // namespace stint::net
