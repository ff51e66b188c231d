#include "serve/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class EndpointTest : public ServeFixture {
 protected:
  ~EndpointTest() override { fake_.loop().shutdown(); }

  ModelsView models_view() {
    return {.list = [this] { return models_; }, .not_ready = [this] { return not_ready_; }};
  }
  // The status of the answer to what is asked, 0 while there is none; the answer lies in connection_.
  int get(std::string_view path, net::Headers headers = {}) { return send("GET", path, "", std::move(headers)); }
  int post(std::string_view path, std::string_view body, net::Headers headers = {}) {
    return send("POST", path, body, std::move(headers));
  }
  int send(std::string_view method, std::string_view path, std::string_view body, net::Headers headers) {
    ask_by(method, path, body, std::move(headers));
    fake_.spawn(endpoint_.handle(connection_));
    return connection_.status();
  }

  std::vector<api::ModelInfo> models_{{.id = "tiny", .display_name = "Tiny", .created_unix_s = 1'700'000'000}};
  std::optional<base::Error> not_ready_;
  Pipeline pipeline_ = make_pipeline(with_);
  Endpoint endpoint_{generations_, pipeline_, with_, models_view()};
};

const net::Headers kAnthropicVersion{{"anthropic-version", "2023-06-01"}};

TEST_F(EndpointTest, hands_calls_to_the_pipeline) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/messages?beta=true", kAnthropicBody), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("text":"Hello")"));
  EXPECT_THAT(connection_.answer, HasSubstr(R"("id":"msg_)"));
  EXPECT_THAT(connection_.header("request-id"), MatchesRegex("req_[0-9A-Za-z]{24}"));
}

TEST_F(EndpointTest, answers_of_each_kind_carry_their_own_ids) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/completions", R"({"model":"m","prompt":"Hi"})"), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("id":"cmpl-)"));
}

TEST_F(EndpointTest, chat_completions_are_stamped_with_the_time) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/chat/completions", kOpenaiBody), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("id":"chatcmpl-)"));
  EXPECT_THAT(connection_.answer, HasSubstr(fmt::format(R"("created":{})", clock().unix_seconds())));
}

TEST_F(EndpointTest, counts_calls_in_flight) {
  EXPECT_EQ(post("/v1/messages", kAnthropicBody), 0);
  EXPECT_EQ(metrics_.in_flight.value(), 1);
  push_answer("Hello");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(metrics_.in_flight.value(), 0);
}

TEST_F(EndpointTest, the_bypass_header_reaches_the_pipeline) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/messages", kAnthropicBody, {{"x-stint-bypass", "store"}}), 200);
  const std::vector<std::uint64_t> stores = metrics_.stage_seconds(StageId::store).bucket_counts();
  EXPECT_THAT(stores, testing::Each(0u));
}

TEST_F(EndpointTest, health_and_the_warm_up_probe_say_ok_even_while_loading) {
  not_ready_ = base::Error{.kind = ErrorKind::unavailable, .message = "loading"};
  EXPECT_EQ(get("/health"), 200);
  EXPECT_EQ(connection_.answer, R"({"status":"ok"})");
}

TEST_F(EndpointTest, the_warm_up_probe_of_agents_is_answered) {
  EXPECT_EQ(send("HEAD", "/api/hello", "", {}), 200);
}

TEST_F(EndpointTest, ready_once_the_model_is_there) {
  EXPECT_EQ(get("/ready"), 200);
  EXPECT_EQ(connection_.answer, R"({"status":"ready"})");
}

TEST_F(EndpointTest, not_ready_says_why_and_when_to_come_back) {
  not_ready_ = base::Error{.kind = ErrorKind::unavailable, .message = "the local model is still loading"};
  EXPECT_EQ(get("/ready"), 503);
  EXPECT_THAT(connection_.answer, HasSubstr("still loading"));
  EXPECT_EQ(connection_.header("retry-after"), "1");
}

TEST_F(EndpointTest, lists_models_in_openais_shape) {
  EXPECT_EQ(get("/v1/models"), 200);
  EXPECT_THAT(connection_.answer, StartsWith(R"({"object":"list","data":[{"id":"tiny")"));
}

TEST_F(EndpointTest, lists_models_in_anthropics_shape) {
  EXPECT_EQ(get("/v1/models?limit=10", kAnthropicVersion), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("has_more":false)"));
  EXPECT_THAT(connection_.answer, HasSubstr(R"("display_name":"Tiny")"));
}

TEST_F(EndpointTest, a_wrong_page_of_models_is_the_callers_error) {
  EXPECT_EQ(get("/v1/models?limit=0", kAnthropicVersion), 400);
  EXPECT_THAT(connection_.answer, HasSubstr("limit"));
}

TEST_F(EndpointTest, gives_one_model) {
  EXPECT_EQ(get("/v1/models/tiny"), 200);
  EXPECT_THAT(connection_.answer, StartsWith(R"({"id":"tiny")"));
}

TEST_F(EndpointTest, an_unknown_model_is_not_found) {
  EXPECT_EQ(get("/v1/models/other"), 404);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("code":"model_not_found")"));
}

TEST_F(EndpointTest, an_unknown_path_is_not_found_in_openais_words) {
  EXPECT_EQ(post("/v1/audio/speech", "{}"), 404);
  EXPECT_THAT(connection_.answer, StartsWith(R"({"error":{)"));
  EXPECT_THAT(connection_.header("x-request-id"), StartsWith("req_"));
}

TEST_F(EndpointTest, an_unknown_path_is_not_found_in_anthropics_words) {
  EXPECT_EQ(post("/v1/messages/batches", "{}"), 404);
  EXPECT_THAT(connection_.answer, StartsWith(R"({"type":"error","error":{"type":"not_found_error")"));
}

TEST_F(EndpointTest, a_wrong_method_says_which_are_allowed) {
  EXPECT_EQ(get("/v1/messages"), 405);
  EXPECT_EQ(connection_.header("allow"), "POST");
  EXPECT_THAT(connection_.answer, StartsWith(R"({"type":"error")"));
}

TEST_F(EndpointTest, a_wrong_method_is_refused_in_openais_words_too) {
  EXPECT_EQ(send("DELETE", "/v1/models/tiny", "", {}), 405);
  EXPECT_EQ(connection_.header("allow"), "GET");
  EXPECT_THAT(connection_.answer, HasSubstr("method_not_supported"));
}

TEST_F(EndpointTest, a_page_of_another_origin_is_refused_before_anything_is_read) {
  EXPECT_EQ(post("/v1/messages", kAnthropicBody, {{"origin", "https://evil.example"}}), 403);
  EXPECT_THAT(connection_.answer, HasSubstr("permission_error"));
  EXPECT_EQ(connection_.header("access-control-allow-origin"), "");
  EXPECT_EQ(connection_.sent.body, nullptr);
}

TEST_F(EndpointTest, a_name_made_to_resolve_to_loopback_is_refused) {
  EXPECT_EQ(get("/v1/models", {{"host", "evil.example"}}), 403);
}

TEST_F(EndpointTest, a_listed_page_may_read_its_answer) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/messages", kAnthropicBody, {{"origin", "https://app.example.com"}}), 200);
  EXPECT_EQ(connection_.header("access-control-allow-origin"), "https://app.example.com");
}

TEST_F(EndpointTest, answers_the_preflight_of_a_listed_page) {
  EXPECT_EQ(send("OPTIONS", "/v1/messages", "",
                 {{"origin", "https://app.example.com"}, {"access-control-request-method", "POST"}}),
            204);
  EXPECT_EQ(connection_.header("access-control-allow-origin"), "https://app.example.com");
  EXPECT_EQ(connection_.answer, "");
}

TEST_F(EndpointTest, the_preflight_of_any_other_page_is_refused) {
  EXPECT_EQ(send("OPTIONS", "/v1/messages", "",
                 {{"origin", "https://evil.example"}, {"access-control-request-method", "POST"}}),
            403);
}

TEST_F(EndpointTest, a_plain_options_request_is_a_wrong_method) {
  EXPECT_EQ(send("OPTIONS", "/v1/messages", "", {}), 405);
}

class EndpointWithKeysTest : public EndpointTest {
 protected:
  EndpointWithKeysTest() {
    generation_->access_keys = admit::AccessKeys({{.name = "team", .key = "a-key-of-sixteen"}});
  }
};

TEST_F(EndpointWithKeysTest, calls_need_a_key) {
  EXPECT_EQ(post("/v1/messages", kAnthropicBody), 401);
  EXPECT_THAT(connection_.answer, HasSubstr("authentication_error"));
  EXPECT_EQ(connection_.sent.body, nullptr);
  EXPECT_EQ(metrics_.requests.with({"messages", "401"}).value(), 1u);
}

TEST_F(EndpointWithKeysTest, a_key_opens_the_door) {
  push_answer("Hello");
  EXPECT_EQ(post("/v1/messages", kAnthropicBody, {{"x-api-key", "a-key-of-sixteen"}}), 200);
}

TEST_F(EndpointWithKeysTest, models_need_a_key) {
  EXPECT_EQ(get("/v1/models"), 401);
  EXPECT_THAT(connection_.answer, HasSubstr("invalid_api_key"));
}

TEST_F(EndpointWithKeysTest, models_open_with_a_key) {
  EXPECT_EQ(get("/v1/models", {{"authorization", "Bearer a-key-of-sixteen"}}), 200);
}

TEST_F(EndpointWithKeysTest, probes_need_none) {
  EXPECT_EQ(get("/health"), 200);
}

TEST_F(EndpointTest, an_exchange_keeps_the_settings_it_began_with) {
  EXPECT_EQ(post("/v1/messages", kAnthropicBody), 0);
  generations_.replace(std::make_shared<Generation>(
      Generation{.browser_guard = BrowserGuard(true, {}), .model_names = plan::ModelNames({"other"}, true)}));
  push_answer("Hello");
  fake_.settle();
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_EQ(connection_.header("x-stint-served-by"), "local/tiny");
}

}  // namespace
}  // namespace stint::serve
