#include "app/model_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/fake_environment.h"

namespace stint::app {
namespace {

class ModelFileTest : public ::testing::Test {
 protected:
  ModelFileTest() {
    std::filesystem::create_directories(folder_ / "stint" / "models");
    environment_.variables["XDG_CACHE_HOME"] = folder_.string();
  }
  ~ModelFileTest() override { std::filesystem::remove_all(folder_); }
  void touch(const std::filesystem::path& path) { std::ofstream(path) << "x"; }

  const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "stint_model_file_test";
  fakes::FakeEnvironment environment_;
};

TEST_F(ModelFileTest, a_catalogue_name_is_its_file_in_the_models_folder) {
  touch(folder_ / "stint" / "models" / "smollm2-135m-instruct-q4_1.gguf");
  const auto file = find_model_file("smollm2-135m", environment_);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->name, "smollm2-135m");
  EXPECT_TRUE(file->path.ends_with("models/smollm2-135m-instruct-q4_1.gguf"));
}

TEST_F(ModelFileTest, a_path_is_named_after_its_file) {
  touch(folder_ / "My-Model.gguf");
  const auto file = find_model_file((folder_ / "My-Model.gguf").string(), environment_);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->name, "My-Model");
}

TEST_F(ModelFileTest, what_is_missing_is_told_with_the_way_to_get_it) {
  const auto absent = find_model_file("smollm2-135m", environment_);
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().message.find("stint pull smollm2-135m"), std::string::npos);
  const auto path = find_model_file("/no/such/model.gguf", environment_);
  ASSERT_FALSE(path);
  EXPECT_NE(path.error().message.find("/no/such/model.gguf"), std::string::npos);
  EXPECT_FALSE(find_model_file("unknown", environment_));
  EXPECT_FALSE(find_model_file((folder_ / "stint").string() + "/", environment_));
}

}  // namespace
}  // namespace stint::app
