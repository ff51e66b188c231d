#include "platform/observe/redact.h"

#include <gtest/gtest.h>

namespace stint::observe {
namespace {

TEST(NamesCredential, by_name_whatever_its_case_and_dashes) {
  for (const auto key : {"authorization", "Authorization", "x-api-key", "X_API_KEY", "api_key", "cookie", "Set-Cookie",
                         "password", "redis_password", "client_secret", "access_token", "key"}) {
    EXPECT_TRUE(names_credential(key)) << key;
  }
  for (const auto key : {"model", "max_tokens", "token_count", "keys", "path", "", "keyword"}) {
    EXPECT_FALSE(names_credential(key)) << key;
  }
}

TEST(MaskCredentials, what_follows_a_scheme) {
  EXPECT_EQ(mask_credentials("Authorization: Bearer abc.DEF-123/+=~ rest"), "Authorization: Bearer [redacted] rest");
  EXPECT_EQ(mask_credentials("basic dXNlcjpwYXNz"), "basic [redacted]");
  EXPECT_EQ(mask_credentials("BEARER x"), "BEARER [redacted]");
}

TEST(MaskCredentials, keys_of_providers_by_their_prefix) {
  EXPECT_EQ(mask_credentials("sk-ant-api03-abc_DEF"), "sk-[redacted]");
  EXPECT_EQ(mask_credentials("key=sk-proj-1, token:hf_abc, 'AKIAXYZ'"),
            "key=sk-[redacted], token:hf_[redacted], 'AKIA[redacted]'");
  EXPECT_EQ(mask_credentials("/v1?api_key=sk-abc&x=1"), "/v1?api_key=sk-[redacted]&x=1");
  EXPECT_EQ(mask_credentials("eyJhbGciOi.eyJzdWIi.sig"), "eyJ[redacted]");
}

TEST(MaskCredentials, ordinary_text_is_left_alone) {
  for (const auto text : {"", "ask-me a task-list", "Bearer ", "bearer", "a\nb\tc \xC3\xA9 \xFF", "risk-free"}) {
    EXPECT_EQ(mask_credentials(text), text);
  }
}

TEST(MaskCredentials, in_doubt_a_word_too_many) {
  EXPECT_EQ(mask_credentials("the bearer of news"), "the bearer [redacted] news");
}

TEST(MaskCredentials, is_linear_on_long_text) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "Bearer sk-";
  const std::string masked = mask_credentials(text);
  EXPECT_LT(masked.size(), 2 * text.size());
}

}  // namespace
}  // namespace stint::observe
