#include "serve/adapters/decode.h"

#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class DecodeTest : public ServeFixture {
 protected:
  Result<void> decode(std::string_view path, std::string_view body) {
    ask(path, body);
    Exchange& exchange = open();
    STINT_ASSERT(run(Receive(), exchange).has_value());
    return run(Decode(), exchange);
  }
};

TEST_F(DecodeTest, reads_the_body_by_the_rules_of_its_endpoint) {
  ASSERT_TRUE(decode("/v1/messages", kAnthropicBody));
  EXPECT_EQ(exchange_->request.kind, chat::CallKind::chat);
  EXPECT_EQ(exchange_->request.dialect, chat::DialectId::anthropic);
  EXPECT_EQ(exchange_->request.model, "claude-x");
  ASSERT_TRUE(decode("/v1/messages/count_tokens", kAnthropicBody));
  EXPECT_EQ(exchange_->request.kind, chat::CallKind::count_tokens);
  ASSERT_TRUE(decode("/v1/embeddings", R"({"model":"e","input":"Hi"})"));
  EXPECT_EQ(exchange_->request.kind, chat::CallKind::embed);
  EXPECT_EQ(exchange_->request.dialect, chat::DialectId::openai);
}

TEST_F(DecodeTest, a_wrong_body_names_its_field) {
  const Result<void> result = decode("/v1/messages", R"({"model":"claude-x","max_tokens":0,"messages":[]})");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::invalid_request);
  EXPECT_FALSE(result.error().param.empty());
}

}  // namespace
}  // namespace stint::serve
