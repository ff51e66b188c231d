#include "stages/admit/access_keys.h"

#include <gtest/gtest.h>

#include "platform/config/load.h"

namespace stint::admit {
namespace {

class NoEnvironment final : public config::Environment {
 public:
  std::optional<std::string> variable(const std::string&) const override { return std::nullopt; }
  Result<std::string> read_file(const std::string&, std::size_t) const override {
    return fail(ErrorKind::not_found, "no files in this test");
  }
};

struct Outcome {
  AccessKeys keys;
  std::string error;
};

Outcome read(std::string_view text) {
  auto document = config::load_text(text, "stint.yaml", NoEnvironment());
  if (!document) return {{}, document.error().message};
  config::Reader reader(std::move(*document));
  AccessKeys keys = read_access_keys(reader.root());
  const auto finished = reader.finish();
  return {std::move(keys), finished ? "" : finished.error().message};
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
