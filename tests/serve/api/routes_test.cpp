#include "serve/api/routes.h"

#include <gtest/gtest.h>

namespace stint::api {
namespace {

using chat::DialectId;

TEST(Routes, finds_every_endpoint) {
  struct Case {
    std::string_view method;
    std::string_view path;
    Endpoint endpoint;
    DialectId dialect;
  };
  for (const Case& c : {Case{"POST", "/v1/messages", Endpoint::messages, DialectId::anthropic},
                        Case{"POST", "/v1/messages/count_tokens", Endpoint::count_tokens, DialectId::anthropic},
                        Case{"POST", "/v1/chat/completions", Endpoint::chat_completions, DialectId::openai},
                        Case{"POST", "/v1/completions", Endpoint::completions, DialectId::openai},
                        Case{"POST", "/v1/embeddings", Endpoint::embeddings, DialectId::openai},
                        Case{"GET", "/v1/models", Endpoint::models, DialectId::openai},
                        Case{"GET", "/v1/models/m", Endpoint::model, DialectId::openai},
                        Case{"HEAD", "/api/hello", Endpoint::hello, DialectId::anthropic},
                        Case{"GET", "/health", Endpoint::health, DialectId::openai},
                        Case{"HEAD", "/ready", Endpoint::ready, DialectId::openai}}) {
    const auto route = find_route(c.method, c.path, false);
    ASSERT_TRUE(route) << c.path;
    EXPECT_EQ(route->endpoint, c.endpoint) << c.path;
    EXPECT_EQ(route->dialect, c.dialect) << c.path;
  }
}

TEST(Routes, the_version_header_turns_shared_paths_anthropic_and_no_others) {
  EXPECT_EQ(find_route("GET", "/v1/models", true)->dialect, DialectId::anthropic);
  EXPECT_EQ(find_route("GET", "/v1/models/m", true)->dialect, DialectId::anthropic);
  EXPECT_EQ(find_route("POST", "/v1/chat/completions", true)->dialect, DialectId::openai);
}

TEST(Routes, model_ids_may_hold_slashes_and_escapes) {
  EXPECT_EQ(find_route("GET", "/v1/models/hf:owner/repo%2Ffile%20x", false)->model, "hf:owner/repo/file x");
}

TEST(Routes, unknown_paths_are_not_found) {
  for (const std::string_view path :
       {"", "/", "/v1", "/v1/messages/", "/v1/messagesx", "/v1/models/", "/_stainless_unknown_path", "/V1/messages"}) {
    const auto route = find_route("POST", path, false);
    ASSERT_FALSE(route) << path;
    EXPECT_EQ(route.error().kind, ErrorKind::not_found) << path;
    EXPECT_EQ(allowed_methods(path), "") << path;
  }
}

TEST(Routes, wrong_methods_are_told_which_would_do) {
  const auto route = find_route("GET", "/v1/messages", true);
  ASSERT_FALSE(route);
  EXPECT_EQ(route.error().kind, ErrorKind::method_not_allowed);
  EXPECT_EQ(route.error().message, "/v1/messages does not take GET; use POST.");
  EXPECT_EQ(allowed_methods("/v1/messages"), "POST");
  EXPECT_EQ(allowed_methods("/health"), "GET, HEAD");
  EXPECT_FALSE(find_route("GE", "/health", false));
  EXPECT_FALSE(find_route("", "/health", false));
}

TEST(Routes, guesses_the_dialect_of_unknown_paths) {
  EXPECT_EQ(guess_dialect("/v1/nothing", true), DialectId::anthropic);
  EXPECT_EQ(guess_dialect("/v1/messages/batches", false), DialectId::anthropic);
  EXPECT_EQ(guess_dialect("/v1/complete", false), DialectId::anthropic);
  EXPECT_EQ(guess_dialect("/v1/messagesx", false), DialectId::openai);
  EXPECT_EQ(guess_dialect("/v1/responses", false), DialectId::openai);
}

}  // namespace
}  // namespace stint::api
