#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/limits.h"
#include "platform/net/memory_stream.h"
#include "platform/net/server.h"
#include "serve/endpoint.h"
#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// The endpoint behind net's HTTP server, spoken to in bytes.
class EndpointWireTest : public ServeFixture {
 protected:
  ~EndpointWireTest() override {
    fake_.loop().shutdown();
    client_.reset();
  }

  static std::string request(std::string_view path, std::string_view body) {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: localhost\r\nAnthropic-Version: 2023-06-01\r\nContent-Length: {}\r\n\r\n{}", path,
        body.size(), body);
  }
  void connect() {
    auto [server_end, client_end] = net::MemoryStream::make_pair();
    client_ = std::move(client_end);
    server_.serve(std::move(server_end));
    fake_.settle();
  }
  void send(std::string_view bytes) {
    const auto taken = client_->try_write(std::span(&bytes, 1));
    ASSERT_EQ(taken, bytes.size());
    fake_.settle();
  }
  // What has come since the last call.
  std::string receive() {
    std::string all;
    for (std::string part = client_->take_all(); !part.empty(); part = client_->take_all()) {
      all += part;
      fake_.settle();
    }
    return all;
  }
  std::uint64_t count(std::string_view status) { return metrics_.requests.with({"messages", status}).value(); }

  Pipeline pipeline_ = make_pipeline(with_);
  Endpoint endpoint_{generations_,
                     pipeline_,
                     with_,
                     {.list = [] { return std::vector<api::ModelInfo>(); }, .not_ready = [] { return std::nullopt; }}};
  net::BodyBudget bodies_{1 * base::kMiB};
  net::HttpServer server_{fake_.loop(), endpoint_, bodies_, {}};
  std::unique_ptr<net::MemoryStream> client_;
};

TEST_F(EndpointWireTest, a_stream_arrives_chunk_by_chunk_and_the_connection_goes_on) {
  connect();
  send(request("/v1/messages", kAnthropicStreamBody));
  push_start();
  script().push_text("Hel");
  fake_.settle();
  const std::string first = receive();
  EXPECT_THAT(first, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(first, HasSubstr("transfer-encoding: chunked\r\n"));
  EXPECT_THAT(first, HasSubstr("Hel"));
  push_finish();
  fake_.settle();
  EXPECT_THAT(receive(), EndsWith("\r\n0\r\n\r\n"));
  push_answer("again");
  send(request("/v1/messages", kAnthropicBody));
  EXPECT_THAT(receive(), HasSubstr("again"));
  EXPECT_EQ(count("200"), 2u);
}

TEST_F(EndpointWireTest, a_client_that_hangs_up_cancels_its_answer) {
  connect();
  send(request("/v1/messages", kAnthropicStreamBody));
  push_start();
  script().push_text("Hel");
  fake_.settle();
  client_->close();
  fake_.settle();
  EXPECT_TRUE(script().cancelled);
  EXPECT_EQ(count("499"), 1u);
  EXPECT_EQ(metrics_.in_flight.value(), 0);
}

TEST_F(EndpointWireTest, a_client_that_hangs_up_before_the_first_word_cancels_it_too) {
  connect();
  send(request("/v1/messages", kAnthropicBody));
  client_->close();
  fake_.settle();
  EXPECT_TRUE(script().cancelled);
  EXPECT_EQ(count("499"), 1u);
}

TEST_F(EndpointWireTest, a_slow_reader_pauses_the_model_and_gets_everything) {
  constexpr std::size_t kEventCount = 64;
  const std::string words(32 * base::kKiB, 'x');
  connect();
  send(request("/v1/messages", kAnthropicStreamBody));
  push_start();
  for (std::size_t i = 0; i < kEventCount; ++i) script().push_text(words);
  push_finish();
  fake_.settle();
  EXPECT_LT(script().taken_count, kEventCount / 2);
  const std::string answer = receive();
  EXPECT_GT(answer.size(), kEventCount * words.size());
  EXPECT_THAT(answer.substr(answer.size() - 200), HasSubstr("message_stop"));
  EXPECT_EQ(script().taken_count, kEventCount + 2);
}

TEST_F(EndpointWireTest, a_reader_that_never_reads_is_cut_off) {
  connect();
  send(request("/v1/messages", kAnthropicStreamBody));
  push_start();
  for (int i = 0; i < 64; ++i) script().push_text(std::string(32 * base::kKiB, 'x'));
  fake_.settle();
  fake_.advance(base::kWriteStallTimeout * 2);
  EXPECT_TRUE(client_->peer_closed().is_set());
  EXPECT_TRUE(script().cancelled);
  EXPECT_EQ(metrics_.in_flight.value(), 0);
}

}  // namespace
}  // namespace stint::serve
