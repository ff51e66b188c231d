// ServeFixture: what the stages of a request work with, on a fake clock, with a scripted backend for the model and a
// fake connection for the client.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/adapters/decode.h"
#include "serve/adapters/receive.h"
#include "serve/collaborators.h"
#include "tests/fakes/fake_loop.h"
#include "tests/fakes/fake_server_exchange.h"
#include "tests/fakes/memory_log_sink.h"
#include "tests/fakes/scripted_backend.h"

namespace stint::serve {

inline constexpr std::string_view kAnthropicBody =
    R"({"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]})";
inline constexpr std::string_view kAnthropicStreamBody =
    R"({"model":"claude-x","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"Hi"}]})";
inline constexpr std::string_view kOpenaiBody = R"({"model":"gpt-x","messages":[{"role":"user","content":"Hi"}]})";
inline constexpr std::string_view kOpenaiStreamBody =
    R"({"model":"gpt-x","stream":true,"messages":[{"role":"user","content":"Hi"}]})";

class ServeFixture : public testing::Test {
 protected:
  static constexpr std::string_view kModel = "tiny";

  ~ServeFixture() override { fake_.loop().shutdown(); }

  fakes::FakeClock& clock() { return fake_.clock(); }
  fakes::EventScript& script() { return backend_.script; }

  // What the connection's client asks: POST with a body, GET without.
  void ask(std::string_view path, std::string_view body = "", net::Headers headers = {}) {
    ask_by(body.empty() ? "GET" : "POST", path, body, std::move(headers));
  }
  void ask_by(std::string_view method, std::string_view path, std::string_view body, net::Headers headers) {
    if (!headers.contains("host")) headers.add("host", "localhost:4000");
    if (path.starts_with("/v1/messages")) headers.set("anthropic-version", "2023-06-01");
    connection_.sent = {.method = std::string(method), .target = std::string(path), .headers = std::move(headers)};
    connection_.sent_body = std::string(body);
  }

  // The exchange of what was asked, as Endpoint makes it.
  Exchange& open() {
    const net::HttpRequest& request = connection_.sent;
    const bool is_anthropic = request.headers.contains("anthropic-version");
    Result<api::Route> route = api::find_route(request.method, request.path(), is_anthropic);
    STINT_ASSERT(route.has_value());
    exchange_.emplace(connection_, generations_.current(), std::move(*route), clock().now());
    exchange_->request_id = "req_1";
    exchange_->answer_id = "answer_1";
    exchange_->created_unix_s = clock().unix_seconds();
    return *exchange_;
  }
  // The same after decode, with a stream over script() and who serves it, as after dispatch.
  Exchange& open_dispatched() {
    Exchange& exchange = open();
    STINT_ASSERT(fake_.run(Receive().run(exchange)).has_value());
    const Result<void> decoded = fake_.run(Decode().run(exchange));
    STINT_ASSERT(decoded.has_value());
    exchange.outcome.served_by = "local/tiny";
    exchange.stream = std::make_unique<fakes::ScriptedEventStream>(script());
    return exchange;
  }

  Result<void> run(Stage& stage, Exchange& exchange) { return fake_.run(stage.run(exchange)); }
  Result<void> run(Stage&& stage, Exchange& exchange) { return fake_.run(stage.run(exchange)); }

  void push_start(std::uint64_t input_tokens = 5) {
    script().push({.kind = chat::Event::Kind::start, .usage = {.input_tokens = input_tokens}});
  }
  void push_finish() {
    script().push(
        {.kind = chat::Event::Kind::finish, .usage = {.input_tokens = 3, .cache_read_tokens = 2, .output_tokens = 4}});
  }
  void push_answer(std::string text) {
    push_start();
    script().push_text(std::move(text));
    push_finish();
  }

  fakes::ScriptedBackend backend_{"local"};
  fakes::FakeServerExchange connection_;
  fakes::FakeLoop fake_;
  fakes::MemoryLogSink log_;
  observe::Logger logger_{{}, log_, clock()};
  observe::Registry registry_;
  RequestMetrics metrics_{registry_};
  base::Random random_{1};
  admit::PrincipalFinder principals_{"the process's secret"};
  dispatch::Executor executor_{{{"local", &backend_}}};
  // Changes before an exchange is opened hold for it.
  std::shared_ptr<Generation> generation_ =
      std::make_shared<Generation>(Generation{.browser_guard = BrowserGuard(true, {"https://app.example.com"}),
                                              .model_names = plan::ModelNames({std::string(kModel)}, false)});
  Generations generations_{generation_};
  const Collaborators with_{clock(), fake_.loop(), random_, logger_, metrics_, principals_, executor_};
  std::optional<Exchange> exchange_;
};

}  // namespace stint::serve
