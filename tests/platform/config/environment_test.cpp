#include "platform/config/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace stint::config {
namespace {

class SystemEnvironmentTest : public testing::Test {
 protected:
  SystemEnvironmentTest() {
    std::string name = (std::filesystem::temp_directory_path() / "stint-environment-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~SystemEnvironmentTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
  SystemEnvironment environment_;
};

TEST_F(SystemEnvironmentTest, variables) {
  ::setenv("STINT_TEST_VARIABLE", "value", 1);
  EXPECT_EQ(environment_.variable("STINT_TEST_VARIABLE"), "value");
  ::unsetenv("STINT_TEST_VARIABLE");
  EXPECT_EQ(environment_.variable("STINT_TEST_VARIABLE"), std::nullopt);
}

TEST_F(SystemEnvironmentTest, reads_a_whole_file_up_to_the_limit) {
  const std::string text("a\0b\n", 4);
  const std::string path = file("f", text);
  EXPECT_EQ(environment_.read_file(path, 100).value(), text);
  EXPECT_EQ(environment_.read_file(path, 4).value(), text);
  const auto too_large = environment_.read_file(path, 3);
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().kind, ErrorKind::too_large);
  EXPECT_EQ(environment_.read_file(file("empty", ""), 0).value(), "");
}

TEST_F(SystemEnvironmentTest, what_is_no_readable_file_is_an_error_that_names_the_path) {
  const std::string missing = (folder_ / "missing").string();
  const auto result = environment_.read_file(missing, 10);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::not_found);
  EXPECT_NE(result.error().message.find(missing), std::string::npos);
  EXPECT_FALSE(environment_.read_file(folder_.string(), 10));
  EXPECT_FALSE(environment_.read_file("", 10));
}

TEST_F(SystemEnvironmentTest, a_pipe_without_a_writer_is_refused_at_once) {
  const std::string path = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(environment_.read_file(path, 10));
}

}  // namespace
}  // namespace stint::config
