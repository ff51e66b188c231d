#include "stages/admit/access_keys.h"

#include <gtest/gtest.h>

#include "tests/fakes/settings_text.h"

namespace stint::admit {
namespace {

struct Outcome {
  AccessKeys keys;
  std::string error;
};

Outcome read(std::string_view text) {
  Outcome outcome;
  outcome.error = fakes::read_settings(text, [&](config::Section root) { outcome.keys = read_access_keys(root); });
  return outcome;
}

TEST(AccessKeys, keys_of_the_file_are_found_by_their_secret) {
  const Outcome outcome = read("keys: [{name: team-a, key: 0123456789abcdef}]");
  EXPECT_EQ(outcome.error, "");
  ASSERT_NE(outcome.keys.find("0123456789abcdef"), nullptr);
  EXPECT_EQ(outcome.keys.find("0123456789abcdef")->name, "team-a");
  EXPECT_EQ(outcome.keys.find("0123456789abcdeX"), nullptr);
}

TEST(AccessKeys, a_short_key_and_a_second_owner_of_a_name_are_refused) {
  EXPECT_NE(read("keys: [{name: a, key: short}]").error.find("at least 16"), std::string::npos);
  EXPECT_NE(read("keys: [{name: a, key: 0123456789abcdef}, {name: a, key: 0123456789abcdeg}]").error.find("differ"),
            std::string::npos);
}

TEST(AccessKeys, the_secret_never_stands_in_a_message) {
  EXPECT_EQ(read("keys: [{name: a, key: short}]").error.find("short"), std::string::npos);
}

}  // namespace
}  // namespace stint::admit
