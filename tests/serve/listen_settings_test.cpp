#include "serve/listen_settings.h"

#include <gtest/gtest.h>

#include "tests/fakes/settings_text.h"

namespace stint::serve {
namespace {

struct Outcome {
  ListenSettings settings;
  std::string error;
};

Outcome read(std::string_view text, bool has_access_keys = false) {
  Outcome outcome;
  outcome.error = fakes::read_settings(
      text, [&](config::Section root) { outcome.settings = read_listen_settings(root, has_access_keys); });
  return outcome;
}

TEST(ListenSettings, without_a_file_it_is_loopback_on_4000_and_4001) {
  const Outcome outcome = read("");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.settings.api.text(), "127.0.0.1:4000");
  EXPECT_EQ(outcome.settings.admin.text(), "127.0.0.1:4001");
}

TEST(ListenSettings, addresses_may_be_ipv6_or_localhost) {
  const Outcome outcome = read("listen: {addr: \"[::1]:80\", admin: \"localhost:0\"}");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.settings.api.text(), "[::1]:80");
  EXPECT_EQ(outcome.settings.admin.host, "localhost");
}

TEST(ListenSettings, a_public_address_needs_access_keys) {
  EXPECT_NE(read("listen: {addr: \"0.0.0.0:4000\"}").error.find("needs access keys"), std::string::npos);
  EXPECT_EQ(read("listen: {addr: \"0.0.0.0:4000\"}", true).error, "");
  EXPECT_NE(read("listen: {admin: \"0.0.0.0:4001\"}", true).error.find("admin port has no keys"), std::string::npos);
}

TEST(ListenSettings, what_is_no_address_is_refused_with_an_example) {
  for (const char* text :
       {"listen: {addr: here}", "listen: {addr: \"1.2.3.4\"}", "listen: {addr: \"127.0.0.1:99999\"}"}) {
    EXPECT_NE(read(text).error.find("127.0.0.1:4000"), std::string::npos) << text;
  }
}

TEST(ListenSettings, cors_origins_are_origins) {
  EXPECT_EQ(read("listen: {cors_origins: [\"https://app.example.com\"]}").error, "");
  EXPECT_NE(read("listen: {cors_origins: [\"app.example.com/path\"]}").error.find("without a path"), std::string::npos);
}

}  // namespace
}  // namespace stint::serve
