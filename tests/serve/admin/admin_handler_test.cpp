#include "serve/admin/admin_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_loop.h"
#include "tests/fakes/fake_server_exchange.h"

namespace stint::serve {
namespace {

using testing::HasSubstr;

class AdminHandlerTest : public testing::Test {
 protected:
  // The status of the answer, which then lies in `connection_`.
  int ask(std::string method, std::string target, net::Headers headers = {{"host", "localhost:4001"}}) {
    connection_ = std::make_unique<fakes::FakeServerExchange>();
    connection_->sent = {.method = std::move(method), .target = std::move(target), .headers = std::move(headers)};
    fake_.spawn(handler_.handle(*connection_));
    return connection_->status();
  }

  std::unique_ptr<fakes::FakeServerExchange> connection_;
  observe::Registry registry_;
  AdminHandler handler_{registry_};
  fakes::FakeLoop fake_;
};

TEST_F(AdminHandlerTest, gives_the_metrics) {
  registry_.counter("stint_cats_total", "Cats seen.").add(3);
  EXPECT_EQ(ask("GET", "/metrics?format=text"), 200);
  EXPECT_THAT(connection_->answer, HasSubstr("stint_cats_total 3\n"));
  EXPECT_THAT(connection_->header("content-type"), HasSubstr("text/plain"));
}

TEST_F(AdminHandlerTest, says_that_it_lives) {
  EXPECT_EQ(ask("GET", "/health"), 200);
  EXPECT_EQ(connection_->answer, "ok\n");
  EXPECT_EQ(ask("HEAD", "/health"), 200);
}

TEST_F(AdminHandlerTest, knows_nothing_else) {
  EXPECT_EQ(ask("GET", "/"), 404);
  EXPECT_EQ(ask("POST", "/metrics"), 405);
}

TEST_F(AdminHandlerTest, web_pages_are_refused) {
  EXPECT_EQ(ask("GET", "/metrics", {{"host", "localhost:4001"}, {"origin", "https://evil.example"}}), 403);
  EXPECT_EQ(ask("GET", "/metrics", {{"host", "evil.example:4001"}}), 403);
  EXPECT_EQ(ask("GET", "/metrics", {}), 403);
}

}  // namespace
}  // namespace stint::serve
