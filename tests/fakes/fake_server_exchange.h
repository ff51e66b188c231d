// FakeServerExchange: a request that a test wrote down and the answer it got, without a connection. Keeps what handlers
// rely on: the body comes only when asked for, one answer, nothing after its end; a client that has left may only have
// closed its sending side, so that a whole answer still reaches it. Lives on the test's loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "platform/base/assert.h"
#include "platform/net/server_exchange.h"

namespace stint::fakes {

class FakeServerExchange final : public net::ServerExchange {
 public:
  // What the client sends.
  net::HttpRequest sent;
  Result<std::string> sent_body;
  // Makes every later write fail, as a reader that is stuck does.
  std::optional<Error> write_failure;

  // What it got.
  net::HttpResponseHead head;
  std::string answer;
  std::size_t write_count = 0;
  bool complete = false;

  void leave() { gone_.set(); }
  std::string header(std::string_view name) const { return std::string(head.headers.find(name).value_or("")); }

  const net::HttpRequest& request() const override { return sent; }
  std::string peer_name() const override { return "fake"; }

  net::Task<Result<std::shared_ptr<const std::string>>> read_body(std::size_t) override {
    if (!sent_body) co_return std::unexpected(sent_body.error());
    sent.body = std::make_shared<const std::string>(*sent_body);
    co_return sent.body;
  }

  net::Task<Result<void>> respond(net::HttpResponseHead the_head, std::string_view body) override {
    begin(std::move(the_head));
    Result<void> written = put(body);
    complete = written.has_value();
    co_return written;
  }

  net::Task<Result<void>> start(net::HttpResponseHead the_head) override {
    begin(std::move(the_head));
    co_return Result<void>();
  }

  net::Task<Result<void>> write(std::string_view bytes, base::Deadline) override {
    STINT_ASSERT(status_ != 0 && !complete);
    if (gone_.is_set()) co_return fail(ErrorKind::cancelled, "the client left");
    co_return put(bytes);
  }

  net::Task<Result<void>> finish() override {
    STINT_ASSERT(status_ != 0 && !complete);
    if (write_failure) co_return std::unexpected(*write_failure);
    complete = true;
    co_return Result<void>();
  }

  int status() const override { return status_; }
  net::Latch& client_gone() override { return gone_; }

 private:
  void begin(net::HttpResponseHead the_head) {
    STINT_ASSERT(status_ == 0);
    head = std::move(the_head);
    status_ = head.status;
  }

  Result<void> put(std::string_view bytes) {
    if (write_failure) return std::unexpected(*write_failure);
    answer += bytes;
    ++write_count;
    return {};
  }

  int status_ = 0;
  net::Latch gone_;
};

}  // namespace stint::fakes
