#include "app/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "platform/net/client.h"
#include "platform/net/socket_poller.h"
#include "tests/fakes/random_gguf.h"
#include "tests/fakes/temporary_file.h"

namespace stint::app {
namespace {

using std::chrono::seconds;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::size_t kAnswerSizeMax = 1 << 20;
// Generous, so that only a hang fails.
constexpr seconds kPatience{60};

Settings quiet_settings() {
  Settings settings;
  settings.listen.api.port = 0;
  settings.listen.admin.port = 0;
  settings.log.level = observe::LogLevel::off;
  settings.engine.thread_count = 1;
  settings.engine.context_tokens = 256;
  return settings;
}

struct Reply {
  int status = 0;
  std::string body;
};

// A server of a tiny random model, over real loopback sockets.
class ServerTest : public testing::Test {
 protected:
  using Response = std::unique_ptr<net::ClientResponse>;

  ~ServerTest() override {
    if (thread_.joinable()) stop();
  }

  void start() {
    Result<std::unique_ptr<Server>> started = Server::start(quiet_settings(), {.name = "tiny", .path = file_.path()});
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
    thread_ = std::thread([this] { served_ = server_->run(); });
  }
  void stop() {
    server_->stop();
    thread_.join();
    server_.reset();
  }
  void start_and_wait_until_ready() {
    start();
    const base::Deadline deadline = base::Deadline::after(clock_, kPatience);
    while (get("/ready").status != 200) ASSERT_FALSE(deadline.passed(clock_.now()));
  }

  Result<Response> send(const serve::ListenAddress& address, std::string_view method, std::string_view path,
                        std::string body) {
    const auto url = net::parse_url(fmt::format("http://{}{}", address.text(), path));
    net::ClientRequest request{.method = std::string(method), .url = *url, .headers = {}, .body = std::move(body)};
    request.headers.add("content-type", "application/json");
    request.headers.add("anthropic-version", "2023-06-01");
    return loop_.run(client_.send(std::move(request)));
  }
  Reply fetch(const serve::ListenAddress& address, std::string_view method, std::string_view path,
              std::string body = {}) {
    const Result<Response> response = send(address, method, path, std::move(body));
    if (!response) return {.status = 0, .body = response.error().message};
    const Result<std::string> text = loop_.run((*response)->read_all(kAnswerSizeMax));
    return {.status = (*response)->head().status, .body = text.value_or("cut off")};
  }
  Reply get(std::string_view path) { return fetch(server_->api_address(), "GET", path); }
  Reply post(std::string_view path, std::string body) {
    return fetch(server_->api_address(), "POST", path, std::move(body));
  }

  const base::SystemClock clock_;
  net::SocketPoller poller_;
  net::Loop loop_{clock_, poller_};
  net::Resolver resolver_;
  net::HttpClient client_{poller_, resolver_, nullptr};
  const fakes::TemporaryFile file_{fakes::random_gguf({})};
  std::unique_ptr<Server> server_;
  std::thread thread_;
  Result<void> served_;
};

TEST_F(ServerTest, answers_both_apis_from_one_model) {
  start_and_wait_until_ready();
  const Reply message =
      post("/v1/messages", R"({"model":"claude-x","max_tokens":4,"messages":[{"role":"user","content":"Hi"}]})");
  EXPECT_EQ(message.status, 200) << message.body;
  EXPECT_THAT(message.body, HasSubstr(R"("type":"message")"));
  const Reply chat =
      post("/v1/chat/completions",
           R"({"model":"tiny","max_tokens":4,"stream":true,"messages":[{"role":"user","content":"Hi"}]})");
  EXPECT_EQ(chat.status, 200) << chat.body;
  EXPECT_THAT(chat.body, EndsWith("data: [DONE]\n\n"));
  EXPECT_THAT(get("/v1/models").body, HasSubstr(R"("id":"tiny")"));
}

TEST_F(ServerTest, the_second_port_tells_what_happened) {
  start_and_wait_until_ready();
  post("/v1/messages", R"({"model":"tiny","max_tokens":2,"messages":[{"role":"user","content":"Hi"}]})");
  const Reply metrics = fetch(server_->admin_address(), "GET", "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.body, HasSubstr("stint_requests_total{endpoint=\"messages\",status=\"200\"} 1\n"));
}

TEST_F(ServerTest, a_taken_port_is_named) {
  start();
  Settings settings = quiet_settings();
  settings.listen.api = server_->api_address();
  const auto second = Server::start(settings, {.name = "tiny", .path = file_.path()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(second.error().message, HasSubstr(std::to_string(settings.listen.api.port)));
}

TEST_F(ServerTest, a_model_that_cannot_be_loaded_ends_the_run_with_the_reason) {
  const fakes::TemporaryFile broken("no model");
  const auto server = Server::start(quiet_settings(), {.name = "broken", .path = broken.path()});
  ASSERT_TRUE(server);
  const Result<void> served = (*server)->run();
  ASSERT_FALSE(served);
  EXPECT_THAT(served.error().message, HasSubstr(broken.path()));
}

TEST_F(ServerTest, stopping_lets_an_answer_under_way_finish) {
  start_and_wait_until_ready();
  const Result<Response> response =
      send(server_->api_address(), "POST", "/v1/messages",
           R"({"model":"tiny","max_tokens":200,"stream":true,"messages":[{"role":"user","content":"Hi"}]})");
  ASSERT_TRUE(response);
  server_->stop();
  const Result<std::string> body = loop_.run((*response)->read_all(kAnswerSizeMax));
  ASSERT_TRUE(body) << body.error().message;
  EXPECT_THAT(*body, HasSubstr("event: message_stop"));
  thread_.join();
  EXPECT_TRUE(served_);
}

TEST_F(ServerTest, stopping_twice_ends_at_once_whatever_is_under_way) {
  start_and_wait_until_ready();
  const Result<Response> response =
      send(server_->api_address(), "POST", "/v1/messages",
           R"({"model":"tiny","max_tokens":200,"stream":true,"messages":[{"role":"user","content":"Hi"}]})");
  ASSERT_TRUE(response);
  server_->stop();
  server_->stop();
  thread_.join();
  EXPECT_TRUE(served_);
}

TEST_F(ServerTest, it_may_be_stopped_while_the_model_loads) {
  start();
  stop();
  EXPECT_TRUE(served_);
}

}  // namespace
}  // namespace stint::app
