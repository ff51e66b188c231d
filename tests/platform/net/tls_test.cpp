#include "platform/net/tls.h"

#include <gtest/gtest.h>

#include "platform/net/memory_stream.h"
#include "tests/fakes/fake_loop.h"
#include "tests/platform/net/test_certificate.h"

namespace stint::net {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class Tls : public testing::Test {
 protected:
  using Handshake = std::optional<Result<std::unique_ptr<Stream>>>;

  static const TestCertificate& certificate() {
    static const TestCertificate kCertificate = make_test_certificate();
    return kCertificate;
  }

  ~Tls() override { fake_.loop().shutdown(); }

  // Both handshakes over a pipe of the given capacity and read size.
  void shake_hands(const std::string& host, const TestCertificate& trusted, std::size_t capacity = 64 * 1024,
                   std::size_t read_size_max = 64 * 1024) {
    auto [server_end, client_end] = MemoryStream::make_pair(capacity);
    server_end->set_read_size_max(read_size_max);
    client_end->set_read_size_max(read_size_max);
    client_end_ = client_end.get();
    const auto server_context = TlsServerContext::make(certificate().certificate_pem, certificate().key_pem);
    const auto client_context = TlsClientContext::make_trusting(trusted.certificate_pem);
    ASSERT_TRUE(server_context && client_context);
    const base::Deadline deadline = base::Deadline::after(fake_.clock(), seconds(1));
    fake_.start(tls_accept(*server_context, std::move(server_end), deadline), server_);
    fake_.start(tls_connect(*client_context, std::move(client_end), host, deadline), client_);
  }

  fakes::FakeLoop fake_;
  MemoryStream* client_end_ = nullptr;
  Handshake server_;
  Handshake client_;
};

Task<std::string> read_until_end(Stream& stream) {
  std::string all;
  std::array<char, 1000> buffer{};
  for (;;) {
    const auto read = co_await read_some(stream, buffer, base::Deadline::never());
    if (!read) co_return "failed: " + read.error().message;
    if (*read == 0) co_return all;
    all.append(buffer.data(), *read);
  }
}

Task<bool> write_and_end(Stream& stream, std::string bytes) {
  const auto written = co_await write_all(stream, bytes, base::Deadline::never());
  stream.shutdown_write();
  co_return written.has_value();
}

TEST_F(Tls, carries_bytes_both_ways_through_a_narrow_pipe) {
  shake_hands("localhost", certificate(), 700, 13);
  ASSERT_TRUE(client_ && *client_) << (client_ ? client_->error().message : "still shaking hands");
  ASSERT_TRUE(server_ && *server_);
  const std::string bytes(100'000, 'x');
  for (const auto& [from, to] : {std::pair(&**client_, &**server_), std::pair(&**server_, &**client_)}) {
    std::optional<bool> written;
    std::optional<std::string> read;
    fake_.start(write_and_end(**from, bytes), written);
    fake_.start(read_until_end(**to), read);
    EXPECT_EQ(written, true);
    EXPECT_EQ(read, bytes);
  }
}

TEST_F(Tls, many_small_pieces_make_one_record) {
  shake_hands("127.0.0.1", certificate());
  ASSERT_TRUE(client_ && *client_ && server_ && *server_);
  const std::array<std::string_view, 4> pieces{"ab", "", "cd", "ef"};
  EXPECT_EQ((**server_)->try_write(pieces), std::size_t{6});
  std::array<char, 100> buffer{};
  EXPECT_EQ(*(**client_)->try_read(buffer), 6u);
}

TEST_F(Tls, a_certificate_for_another_host_is_refused) {
  shake_hands("example.com", certificate());
  ASSERT_TRUE(client_);
  ASSERT_FALSE(*client_);
  EXPECT_EQ(client_->error().kind, ErrorKind::io);
  EXPECT_THAT(client_->error().message, HasSubstr("hostname mismatch"));
  fake_.settle();
  EXPECT_TRUE(server_ && !*server_);
}

TEST_F(Tls, a_certificate_of_an_unknown_authority_is_refused) {
  shake_hands("localhost", make_test_certificate());
  ASSERT_TRUE(client_);
  ASSERT_FALSE(*client_);
  EXPECT_THAT(client_->error().message, HasSubstr("self-signed"));
}

TEST_F(Tls, a_cut_connection_is_no_end_of_stream) {
  shake_hands("localhost", certificate());
  ASSERT_TRUE(client_ && *client_ && server_ && *server_);
  client_end_->close();
  EXPECT_THAT(fake_.run(read_until_end(***server_)), HasSubstr("without ending TLS"));
}

TEST_F(Tls, a_silent_peer_is_timed_out) {
  auto [server_end, client_end] = MemoryStream::make_pair();
  const auto context = TlsServerContext::make(certificate().certificate_pem, certificate().key_pem);
  fake_.start(tls_accept(*context, std::move(server_end), base::Deadline::after(fake_.clock(), seconds(1))), server_);
  fake_.advance(seconds(1));
  ASSERT_TRUE(server_);
  EXPECT_EQ(server_->error().kind, ErrorKind::timeout);
}

TEST_F(Tls, a_client_that_speaks_plain_http_fails_the_handshake) {
  auto [server_end, client_end] = MemoryStream::make_pair();
  const auto context = TlsServerContext::make(certificate().certificate_pem, certificate().key_pem);
  const std::string_view bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_TRUE(client_end->try_write(std::span(&bytes, 1)));
  fake_.start(tls_accept(*context, std::move(server_end), base::Deadline::never()), server_);
  ASSERT_TRUE(server_);
  EXPECT_THAT(server_->error().message, HasSubstr("http request"));
}

TEST(TlsContext, says_what_is_wrong_with_a_certificate) {
  const TestCertificate good = make_test_certificate();
  const TestCertificate other = make_test_certificate();
  EXPECT_THAT(TlsServerContext::make("", good.key_pem).error().message, HasSubstr("holds none"));
  EXPECT_THAT(TlsServerContext::make(good.certificate_pem, "").error().message, HasSubstr("no private key"));
  EXPECT_THAT(TlsServerContext::make(good.certificate_pem, other.key_pem).error().message, HasSubstr("mismatch"));
  EXPECT_FALSE(TlsClientContext::make_trusting("nothing"));
  EXPECT_TRUE(TlsClientContext::make());
}

}  // namespace
}  // namespace stint::net
