#include "platform/net/authority.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

TEST(Authority, names_and_addresses_with_and_without_port) {
  const auto name = parse_authority("LocalHost:4000");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->host, "localhost");
  EXPECT_EQ(name->port, 4000);
  EXPECT_EQ(parse_authority("10.0.0.1")->port, std::nullopt);
  const auto six = parse_authority("[::1]:80");
  ASSERT_TRUE(six);
  EXPECT_EQ(six->host, "::1");
  EXPECT_EQ(six->port, 80);
}

TEST(Authority, everything_else_is_malformed) {
  for (const std::string_view text :
       {"",   ":",   ":80",     "a:",  "a:b", "a:65536", "a:-1", "a:1:2",       "::1",  "[::1",
        "[]", "[x]", "[::1]80", "a b", "u@a", "a/b",     "a?",   "caf\xC3\xA9", "a%00", "[::1%eth0]"}) {
    EXPECT_FALSE(parse_authority(text)) << text;
  }
}

TEST(Origin, has_a_scheme) {
  const auto origin = parse_origin("HTTP://localhost:3000");
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->scheme, "http");
  EXPECT_EQ(origin->authority.host, "localhost");
  EXPECT_TRUE(parse_origin("chrome-extension://abcdef"));
  for (const std::string_view text : {"null", "", "localhost", "://x", "http://", "http://x/y"}) {
    EXPECT_FALSE(parse_origin(text)) << text;
  }
}

TEST(LoopbackHost, is_decided_by_text_alone) {
  for (const std::string_view host :
       {"localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"}) {
    EXPECT_TRUE(is_loopback_host(host)) << host;
  }
  for (const std::string_view host : {"", "localhost.evil.com", "127.0.0.1.evil.com", "127.evil", "evillocalhost",
                                      "10.0.0.1", "::2", "0.0.0.0", "127.1"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

TEST(Url, is_split_and_written_back) {
  const auto url = parse_url("HTTPS://Example.com:8443/a/b?c#d");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->target, "/a/b?c");
  EXPECT_EQ(url->port(), 8443);
  EXPECT_EQ(to_string(*url), "https://example.com:8443/a/b?c");
  EXPECT_EQ(parse_url("http://x")->target, "/");
  EXPECT_EQ(parse_url("http://x?y")->target, "/?y");
  EXPECT_EQ(parse_url("http://[::1]/")->port(), 80);
  EXPECT_EQ(to_string(*parse_url("http://[::1]/")), "http://[::1]/");
  for (const std::string_view text :
       {"", "x", "ftp://x", "http:///a", "http://u:p@x/", "http://x/a b", "http://x/\n"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

TEST(ResolveLocation, follows_every_form) {
  const Url base = *parse_url("https://x:1/a/b?c");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"http://y/z", "http://y/z"},
      {"//y/z", "https://y/z"},
      {"/z", "https://x:1/z"},
      {"z", "https://x:1/a/z"},
      {"?q", "https://x:1/a/b?q"},
      {"/z?u=http://v", "https://x:1/z?u=http://v"},
      {"z?u=http://v", "https://x:1/a/z?u=http://v"},
  };
  for (const auto& [location, expected] : cases) {
    const auto url = resolve_location(base, location);
    ASSERT_TRUE(url) << location;
    EXPECT_EQ(to_string(*url), expected);
  }
  EXPECT_FALSE(resolve_location(base, "javascript://x"));
}

}  // namespace
}  // namespace stint::net
