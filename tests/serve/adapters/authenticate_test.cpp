#include "serve/adapters/authenticate.h"

#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

constexpr const char* kKey = "a-key-of-sixteen";

class AuthenticateTest : public ServeFixture {
 protected:
  Result<void> authenticate(net::Headers headers) {
    ask("/v1/messages", kAnthropicBody, std::move(headers));
    return run(Authenticate(with_), open());
  }
};

TEST_F(AuthenticateTest, without_keys_everybody_is_the_open_principal) {
  ASSERT_TRUE(authenticate({}));
  EXPECT_EQ(exchange_->principal.name, "open");
}

TEST_F(AuthenticateTest, callers_with_different_credentials_share_nothing) {
  ASSERT_TRUE(authenticate({{"x-api-key", "one"}}));
  const admit::TenantSalt one = exchange_->principal.salt;
  ASSERT_TRUE(authenticate({{"x-api-key", "two"}}));
  EXPECT_NE(exchange_->principal.salt, one);
}

TEST_F(AuthenticateTest, an_access_key_is_taken_from_either_header) {
  generation_->access_keys = admit::AccessKeys({{.name = "team", .key = kKey}});
  ASSERT_TRUE(authenticate({{"x-api-key", kKey}}));
  EXPECT_EQ(exchange_->principal.name, "team");
  const admit::TenantSalt salt = exchange_->principal.salt;
  ASSERT_TRUE(authenticate({{"authorization", "Bearer a-key-of-sixteen"}}));
  EXPECT_EQ(exchange_->principal.name, "team");
  EXPECT_EQ(exchange_->principal.salt, salt);
}

TEST_F(AuthenticateTest, with_keys_strangers_are_refused_before_their_body_is_read) {
  generation_->access_keys = admit::AccessKeys({{.name = "team", .key = kKey}});
  for (const net::Headers& headers : {net::Headers{}, net::Headers{{"x-api-key", "wrong"}}}) {
    const Result<void> result = authenticate(headers);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::authentication);
    EXPECT_EQ(connection_.sent.body, nullptr);
  }
}

}  // namespace
}  // namespace stint::serve
