#include "platform/net/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "platform/base/assert.h"
#include "platform/net/ip_endpoint.h"

namespace stint::net {

namespace {

constexpr std::size_t kRecordSizeMax = 16 * 1024;  // RFC 8446 section 5.1
constexpr std::size_t kReadSize = 17 * 1024;       // one record with its overhead

template <auto Free>
struct Deleter {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using SslContext = std::unique_ptr<SSL_CTX, Deleter<SSL_CTX_free>>;
using SslHandle = std::unique_ptr<SSL, Deleter<SSL_free>>;
using BioHandle = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;

// The oldest error of OpenSSL's queue for this thread, which is left empty.
std::string take_reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* const reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "unknown reason";
}

SslContext make_context(const SSL_METHOD* method) {
  SslContext context(SSL_CTX_new(method));
  STINT_ASSERT(context);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

// Every certificate of a PEM text, in order.
std::vector<Certificate> parse_certificates(const std::string& pem) {
  const BioHandle text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::vector<Certificate> certificates;
  while (X509* certificate = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr)) {
    certificates.emplace_back(certificate);
  }
  ERR_clear_error();  // the end of the text is reported as an error
  return certificates;
}

std::unexpected<Error> bad_certificate(std::string_view what) {
  return fail(ErrorKind::invalid_request, fmt::format("The TLS certificate cannot be used: {}.", what));
}

}  // namespace

struct TlsClientContext::Native {
  SslContext context = make_context(TLS_client_method());
};

struct TlsServerContext::Native {
  SslContext context = make_context(TLS_server_method());
};

TlsClientContext::TlsClientContext(std::unique_ptr<Native> native) : native_(std::move(native)) {}
TlsClientContext::~TlsClientContext() = default;
TlsServerContext::TlsServerContext(std::unique_ptr<Native> native) : native_(std::move(native)) {}
TlsServerContext::~TlsServerContext() = default;

Result<std::shared_ptr<const TlsClientContext>> TlsClientContext::make() {
  auto native = std::make_unique<Native>();
  if (SSL_CTX_set_default_verify_paths(native->context.get()) != 1) {
    return fail(ErrorKind::io,
                fmt::format("The system's certificate authorities cannot be loaded: {}.", take_reason()));
  }
  SSL_CTX_set_verify(native->context.get(), SSL_VERIFY_PEER, nullptr);
  return std::shared_ptr<const TlsClientContext>(new TlsClientContext(std::move(native)));
}

Result<std::shared_ptr<const TlsClientContext>> TlsClientContext::make_trusting(const std::string& authorities_pem) {
  auto native = std::make_unique<Native>();
  const auto authorities = parse_certificates(authorities_pem);
  if (authorities.empty()) return bad_certificate("the list of trusted authorities holds none");
  X509_STORE* const store = SSL_CTX_get_cert_store(native->context.get());
  for (const Certificate& authority : authorities) X509_STORE_add_cert(store, authority.get());
  SSL_CTX_set_verify(native->context.get(), SSL_VERIFY_PEER, nullptr);
  return std::shared_ptr<const TlsClientContext>(new TlsClientContext(std::move(native)));
}

Result<std::shared_ptr<const TlsServerContext>> TlsServerContext::make(const std::string& chain_pem,
                                                                       const std::string& key_pem) {
  auto native = std::make_unique<Native>();
  SSL_CTX* const context = native->context.get();
  auto chain = parse_certificates(chain_pem);
  if (chain.empty()) return bad_certificate("the certificate file holds none");
  const BioHandle text(BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())));
  const PrivateKey key(PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr));
  if (!key) return bad_certificate("the key file holds no private key (" + take_reason() + ")");
  if (SSL_CTX_use_certificate(context, chain.front().get()) != 1) return bad_certificate(take_reason());
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) return bad_certificate(take_reason());
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1) return bad_certificate(take_reason());
  }
  return std::shared_ptr<const TlsServerContext>(new TlsServerContext(std::move(native)));
}

class TlsStream final : public Stream {
 public:
  TlsStream(std::shared_ptr<const TlsClientContext> context, std::unique_ptr<Stream> lower, const std::string& host)
      : TlsStream(SSL_new(context->native_->context.get()), std::move(lower)) {
    if (IpEndpoint::parse(host, 0)) {
      X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
    } else {
      SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
      SSL_set1_host(ssl_.get(), host.c_str());
    }
    SSL_set_connect_state(ssl_.get());
    client_context_ = std::move(context);
  }

  TlsStream(std::shared_ptr<const TlsServerContext> context, std::unique_ptr<Stream> lower)
      : TlsStream(SSL_new(context->native_->context.get()), std::move(lower)) {
    SSL_set_accept_state(ssl_.get());
    server_context_ = std::move(context);
  }

  Task<Result<void>> handshake(base::Deadline deadline) {
    for (;;) {
      ERR_clear_error();
      const int outcome = SSL_do_handshake(ssl_.get());
      collect_output();
      auto flushed = try_flush();
      while (flushed && !*flushed) {
        if (!co_await lower_->writable().wait(deadline)) co_return std::unexpected(late(co_await current_scope()));
        flushed = try_flush();
      }
      if (!flushed) co_return std::unexpected(flushed.error());
      if (outcome == 1) co_return Result<void>();
      if (SSL_get_error(ssl_.get(), outcome) != SSL_ERROR_WANT_READ) co_return handshake_failed();
      const auto fed = feed_input();
      if (!fed) co_return std::unexpected(fed.error());
      if (!*fed && !co_await lower_->readable().wait(deadline)) {
        co_return std::unexpected(late(co_await current_scope()));
      }
    }
  }

  Result<std::optional<std::size_t>> try_read(std::span<char> buffer) override {
    for (;;) {
      ERR_clear_error();
      std::size_t size = 0;
      const int outcome = SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &size);
      if (outcome == 1) return std::optional<std::size_t>(size);
      const int error = SSL_get_error(ssl_.get(), outcome);
      if (error == SSL_ERROR_ZERO_RETURN) return std::optional<std::size_t>(0);
      if (error != SSL_ERROR_WANT_READ) return broken();
      collect_output();
      if (const auto flushed = try_flush(); !flushed) return std::unexpected(flushed.error());
      const auto fed = feed_input();
      if (!fed) return std::unexpected(fed.error());
      if (!*fed) return std::optional<std::size_t>();
    }
  }

  Result<std::size_t> try_write(std::span<const std::string_view> pieces) override {
    std::size_t taken = 0;
    for (;;) {
      // One record at a time goes below, so that at most one waits here.
      const auto flushed = try_flush();
      if (!flushed) return std::unexpected(flushed.error());
      if (!*flushed) return taken;
      const std::string_view record = gather(pieces, taken);
      if (record.empty()) return taken;
      ERR_clear_error();
      std::size_t size = 0;
      if (SSL_write_ex(ssl_.get(), record.data(), record.size(), &size) != 1) return broken();
      collect_output();
      taken += size;
    }
  }

  Result<bool> try_flush() override {
    if (unsent_.empty()) return lower_->try_flush();
    const std::string_view rest = unsent_;
    const auto taken = lower_->try_write(std::span(&rest, 1));
    if (!taken) return std::unexpected(taken.error());
    unsent_.erase(0, *taken);
    if (!unsent_.empty()) return false;
    return lower_->try_flush();
  }

  Notify& readable() override { return lower_->readable(); }
  Notify& writable() override { return lower_->writable(); }
  Latch& peer_closed() override { return lower_->peer_closed(); }

  void shutdown_write() override {
    if (SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
    collect_output();
    // A peer that takes nothing misses the farewell; the connection is ending anyway.
    static_cast<void>(try_flush());
    lower_->shutdown_write();
    ERR_clear_error();
  }
  void close() override { lower_->close(); }
  std::string peer_name() const override { return lower_->peer_name(); }

 private:
  TlsStream(SSL* ssl, std::unique_ptr<Stream> lower) : lower_(std::move(lower)), ssl_(ssl) {
    STINT_ASSERT(ssl_);
    input_ = BIO_new(BIO_s_mem());
    output_ = BIO_new(BIO_s_mem());
    STINT_ASSERT(input_ != nullptr && output_ != nullptr);
    BIO_set_mem_eof_return(input_, -1);
    SSL_set_bio(ssl_.get(), input_, output_);
  }

  // The next record's worth of the pieces after the first `skip` bytes; a view into a piece where one suffices.
  std::string_view gather(std::span<const std::string_view> pieces, std::size_t skip) {
    gathered_.clear();
    for (std::string_view piece : pieces) {
      const std::size_t skipped = std::min(skip, piece.size());
      skip -= skipped;
      piece = piece.substr(skipped, kRecordSizeMax - gathered_.size());
      if (gathered_.empty() && (piece.size() == kRecordSizeMax || pieces.size() == 1)) return piece;
      gathered_.append(piece);
    }
    return gathered_;
  }

  void collect_output() {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(output_, &bytes);
    if (size > 0) unsent_.append(bytes, static_cast<std::size_t>(size));
    static_cast<void>(BIO_reset(output_));
  }

  // False: nothing there yet.
  Result<bool> feed_input() {
    std::array<char, kReadSize> buffer;
    const auto read = lower_->try_read(buffer);
    if (!read) return std::unexpected(read.error());
    if (!*read) return false;
    // HTTP frames its messages, but a body that lasts until close could be cut by anyone without this check.
    if (**read == 0) return fail(ErrorKind::io, "The peer closed the connection without ending TLS.");
    BIO_write(input_, buffer.data(), static_cast<int>(**read));
    return true;
  }

  std::unexpected<Error> broken() { return fail(ErrorKind::io, fmt::format("TLS failed: {}.", take_reason())); }

  std::unexpected<Error> handshake_failed() {
    const long verdict = SSL_get_verify_result(ssl_.get());
    std::string reason = take_reason();
    if (verdict != X509_V_OK) reason = X509_verify_cert_error_string(verdict);
    return fail(ErrorKind::io, fmt::format("The TLS handshake with {} failed: {}.", peer_name(), reason));
  }

  static Error late(const CancelScope& scope) { return wait_error(scope, "the TLS handshake"); }

  const std::unique_ptr<Stream> lower_;
  std::shared_ptr<const TlsClientContext> client_context_;
  std::shared_ptr<const TlsServerContext> server_context_;
  const SslHandle ssl_;
  BIO* input_;          // ciphertext from below; owned by ssl_, as is output_
  BIO* output_;         // ciphertext to go below
  std::string unsent_;  // ciphertext on its way, at most one record and handshake messages
  std::string gathered_;
};

namespace {

Task<Result<std::unique_ptr<Stream>>> shake_hands(std::unique_ptr<TlsStream> stream, base::Deadline deadline) {
  auto done = co_await stream->handshake(deadline);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::unique_ptr<Stream>(std::move(stream));
}

}  // namespace

Task<Result<std::unique_ptr<Stream>>> tls_connect(std::shared_ptr<const TlsClientContext> context,
                                                  std::unique_ptr<Stream> stream, std::string host,
                                                  base::Deadline deadline) {
  return shake_hands(std::make_unique<TlsStream>(std::move(context), std::move(stream), host), deadline);
}

Task<Result<std::unique_ptr<Stream>>> tls_accept(std::shared_ptr<const TlsServerContext> context,
                                                 std::unique_ptr<Stream> stream, base::Deadline deadline) {
  return shake_hands(std::make_unique<TlsStream>(std::move(context), std::move(stream)), deadline);
}

}  // namespace stint::net
