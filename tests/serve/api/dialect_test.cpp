#include "serve/api/dialect.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

TEST(Dialect, each_is_one_constant) {
  for (const chat::DialectId id : {chat::DialectId::anthropic, chat::DialectId::openai}) {
    EXPECT_EQ(dialect(id).id(), id);
    EXPECT_EQ(&dialect(id), &dialect(id));
  }
}

TEST(Dialect, the_answer_has_the_shape_that_the_request_asked_for) {
  const auto first_bytes = [](const Result<chat::Request>& request) {
    EXPECT_TRUE(request) << (request ? "" : request.error().message);
    return encode(*request, {start(), finish()}).substr(0, 60);
  };
  EXPECT_TRUE(first_bytes(decode_messages(R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]})"))
                  .starts_with(R"({"model":"m","id":"id_1","type":"message")"));
  EXPECT_TRUE(
      first_bytes(decode_openai_body(Endpoint::chat_completions,
                                     R"({"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]})"))
          .starts_with(R"(data: {"id":"id_1","object":"chat.completion.chunk")"));
  EXPECT_TRUE(first_bytes(decode_openai_body(Endpoint::completions, R"({"model":"m","prompt":"x"})"))
                  .starts_with(R"({"id":"id_1","object":"text_completion")"));
  EXPECT_TRUE(first_bytes(decode_openai_body(Endpoint::embeddings, R"({"model":"m","input":"x"})"))
                  .starts_with(R"({"object":"list","data":[])"));
}

TEST(Dialect, the_request_outlives_the_message_it_was_decoded_from) {
  Result<chat::Request> request = fail(ErrorKind::internal, "not decoded");
  {
    const net::HttpRequest http = http_request(R"({"model":"m","input":"te\u0078t"})", {{"x-stint-user", "someone"}});
    request = dialect(chat::DialectId::openai).decode(Endpoint::embeddings, http);
  }
  EXPECT_EQ(request->model, "m");
  EXPECT_EQ(request->prompts[0], "text");
  EXPECT_EQ(request->end_user, "someone");
}

}  // namespace
}  // namespace stint::api
