#include "app/cache_folder.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_environment.h"

namespace stint::app {
namespace {

TEST(CacheFolder, follows_xdg_then_home) {
  fakes::FakeEnvironment environment;
  environment.variables = {{"XDG_CACHE_HOME", "/cache"}, {"HOME", "/people/a"}};
  EXPECT_EQ(models_folder(environment), "/cache/stint/models");
  environment.variables["XDG_CACHE_HOME"] = "relative";
  EXPECT_EQ(models_folder(environment), "/people/a/.cache/stint/models");
  environment.variables.clear();
  EXPECT_FALSE(models_folder(environment));
}

}  // namespace
}  // namespace stint::app
