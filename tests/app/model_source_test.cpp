#include "app/model_source.h"

#include <gtest/gtest.h>

#include "app/model_catalogue.h"
#include "tests/fakes/fake_environment.h"

namespace stint::app {
namespace {

TEST(ModelSource, every_model_of_the_catalogue_has_one) {
  const fakes::FakeEnvironment environment;
  for (const CatalogueModel& model : model_catalogue()) {
    const auto source = find_model_source(model.name, environment);
    ASSERT_TRUE(source) << model.name << ": " << source.error().message;
    EXPECT_EQ(source->file_name, model.file_name);
    EXPECT_NE(source->url.has_value(), !source->wheel_parts.empty()) << model.name;
    for (const WheelPart& part : source->wheel_parts) {
      EXPECT_NE(part.requirement.find("=="), std::string::npos);
      EXPECT_FALSE(part.member.empty());
    }
  }
}

TEST(ModelSource, hub_files_follow_the_environment) {
  fakes::FakeEnvironment environment;
  environment.variables = {{"HF_ENDPOINT", "http://localhost:8080/"}, {"HF_TOKEN", "hf_secret"}};
  const auto source = find_model_source("hf:Qwen/Qwen3-0.6B-GGUF/sub/Qwen3-0.6B-Q8_0.gguf", environment);
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(net::to_string(*source->url),
            "http://localhost:8080/Qwen/Qwen3-0.6B-GGUF/resolve/main/sub/Qwen3-0.6B-Q8_0.gguf");
  EXPECT_EQ(source->file_name, "Qwen3-0.6B-Q8_0.gguf");
  EXPECT_EQ(source->bearer_token, "hf_secret");
}

TEST(ModelSource, urls_and_paths_keep_their_file_name_and_get_no_token) {
  fakes::FakeEnvironment environment;
  environment.variables = {{"HF_TOKEN", "hf_secret"}};
  const auto url = find_model_source("https://example.com/a/b.gguf?download=true", environment);
  ASSERT_TRUE(url) << url.error().message;
  EXPECT_EQ(url->file_name, "b.gguf");
  EXPECT_EQ(url->bearer_token, "");
  const auto path = find_model_source("/models/c.gguf", environment);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->local_path, "/models/c.gguf");
}

TEST(ModelSource, what_is_none_of_these_is_refused) {
  const fakes::FakeEnvironment environment;
  for (const char* what : {"unknown", "hf:owner", "hf:owner/repo", "hf:/repo/x.gguf", "hf:o/r/readme.md",
                           "https://example.com/", "ftp://example.com/x", "https://example.com/..gguf/.."}) {
    EXPECT_FALSE(find_model_source(what, environment)) << what;
  }
}

}  // namespace
}  // namespace stint::app
