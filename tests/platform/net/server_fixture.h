// ServerFixture: an HttpServer over memory streams on a fake clock, with a handler that the test writes as a function.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "platform/net/memory_stream.h"
#include "platform/net/server.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<Task<void>(ServerExchange&)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  Task<void> handle(ServerExchange& exchange) override { return function_(exchange); }

 private:
  Function function_;
};

// Answers "METHOD TARGET [BODY]".
inline Task<void> echo(ServerExchange& exchange) {
  const auto body = co_await exchange.read_body();
  if (!body) {
    HttpResponseHead head;
    head.status = body.error().kind == ErrorKind::too_large ? 413 : 400;
    co_await exchange.respond(std::move(head), std::string(base::to_string(body.error().kind)));
    co_return;
  }
  const HttpRequest& request = exchange.request();
  const std::string text = request.method + " " + request.target + " [" + **body + "]";
  co_await exchange.respond({}, text);
}

class ServerFixture : public testing::Test {
 protected:
  explicit ServerFixture(FunctionHandler::Function handler = echo) : handler_(std::move(handler)) {}
  ~ServerFixture() override {
    fake_.loop().shutdown();
    client_.reset();
  }

  void use_handler(FunctionHandler::Function handler) { handler_ = FunctionHandler(std::move(handler)); }

  // A new connection; the last one made is client().
  MemoryStream& connect(std::size_t capacity = MemoryStream::kCapacityDefault) {
    auto [server_end, client_end] = MemoryStream::make_pair(capacity);
    client_ = std::move(client_end);
    server_end_ = server_end.get();
    server_.serve(std::move(server_end));
    fake_.settle();
    return *client_;
  }
  MemoryStream& client() { return *client_; }

  // Sends all of it, in as many turns as the pipe needs.
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto taken = client_->try_write(std::span(&bytes, 1));
      ASSERT_TRUE(taken) << taken.error().message;
      bytes.remove_prefix(*taken);
      fake_.settle();
    }
  }
  // What the server has sent since the last call, without its Date fields.
  std::string receive() {
    std::string all;
    for (std::string part = client_->take_all(); !part.empty(); part = client_->take_all()) {
      all += part;
      fake_.settle();
    }
    return without_dates(std::move(all));
  }
  static std::string without_dates(std::string text) {
    for (std::size_t at = 0; (at = text.find("\r\ndate: ", at)) != std::string::npos;) {
      text.erase(at, text.find("\r\n", at + 2) - at);
    }
    return text;
  }
  std::string exchange(std::string_view bytes) {
    send(bytes);
    return receive();
  }
  bool closed_by_server() { return client_->peer_closed().is_set(); }

  static std::string answer(std::string_view body, std::string_view extra_fields = "") {
    return fmt::format("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n{}\r\n{}", body.size(), extra_fields, body);
  }

  fakes::FakeLoop fake_;
  BodyBudget budget_{1 * base::kMiB};
  FunctionHandler handler_;
  ServerSettings settings_;
  HttpServer server_{fake_.loop(), handler_, budget_, settings_};
  std::unique_ptr<MemoryStream> client_;
  MemoryStream* server_end_ = nullptr;
};

}  // namespace stint::net
