#include "stages/plan/model_names.h"

#include <gtest/gtest.h>

namespace stint::plan {
namespace {

TEST(ModelNames, every_name_of_the_local_model_resolves_to_its_public_name) {
  const ModelNames names({"smollm2-135m", "SmolLM2"}, true);
  for (const char* name : {"smollm2-135m", "SmolLM2"}) {
    const auto resolved = names.resolve(name);
    ASSERT_TRUE(resolved) << name;
    EXPECT_EQ(resolved->backend, "local");
    EXPECT_EQ(resolved->model, "smollm2-135m");
    EXPECT_FALSE(resolved->substituted);
  }
}

TEST(ModelNames, an_unknown_name_gets_the_default_and_says_so) {
  const ModelNames names({"smollm2-135m"}, false);
  const auto resolved = names.resolve("claude-haiku-4-5");
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->model, "smollm2-135m");
  EXPECT_TRUE(resolved->substituted);
}

TEST(ModelNames, strict_refuses_an_unknown_name_with_the_names_there_are) {
  const ModelNames names({"smollm2-135m"}, true);
  const auto resolved = names.resolve("claude-haiku-4-5");
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().kind, ErrorKind::not_found);
  EXPECT_NE(resolved.error().message.find("claude-haiku-4-5"), std::string::npos);
  EXPECT_NE(resolved.error().message.find("smollm2-135m"), std::string::npos);
}

}  // namespace
}  // namespace stint::plan
