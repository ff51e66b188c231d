#include "platform/config/load.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_environment.h"

namespace stint::config {
namespace {

TEST(Load, a_file_is_read_parsed_and_filled_in) {
  fakes::FakeEnvironment environment;
  environment.files["/etc/stint/stint.yaml"] = "listen:\n  addr: ${ADDR}\n";
  environment.variables["ADDR"] = "127.0.0.1:1";
  const Result<Document> document = load_file("/etc/stint/stint.yaml", environment);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->file_name, "/etc/stint/stint.yaml");
  EXPECT_EQ(document->root.entries.at(0).value.entries.at(0).value.text, "127.0.0.1:1");
}

TEST(Load, unreadable_and_malformed_files_are_errors) {
  fakes::FakeEnvironment environment;
  EXPECT_EQ(load_file("none.yaml", environment).error().kind, ErrorKind::not_found);
  environment.files["large.yaml"] = std::string(kFileSizeMax + 1, '#');
  EXPECT_EQ(load_file("large.yaml", environment).error().kind, ErrorKind::too_large);
  EXPECT_TRUE(load_text("a: [", "bad.yaml", environment).error().message.starts_with("bad.yaml:"));
}

TEST(Load, failed_substitutions_are_kept_for_the_reader) {
  const fakes::FakeEnvironment environment;
  const Result<Document> document = load_text("a: ${X}\n", "f", environment);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->problems.size(), 1u);
}

}  // namespace
}  // namespace stint::config
