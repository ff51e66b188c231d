#include "app/model_catalogue.h"

#include <gtest/gtest.h>

#include <set>

namespace stint::app {
namespace {

TEST(ModelCatalogue, the_default_is_in_it_and_pinned) {
  const CatalogueModel* model = find_model(kDefaultModelName);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->sha256.size(), 64u);
  EXPECT_GT(model->size, 0u);
  EXPECT_EQ(find_model("no such model"), nullptr);
}

TEST(ModelCatalogue, names_and_files_are_unique_and_every_row_is_complete) {
  std::set<std::string_view> names;
  std::set<std::string_view> files;
  for (const CatalogueModel& model : model_catalogue()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_TRUE(files.insert(model.file_name).second) << model.file_name;
    EXPECT_FALSE(model.licence.empty()) << model.name;
    EXPECT_GT(model.memory_mb, 0u) << model.name;
    ASSERT_FALSE(model.sources.empty()) << model.name;
    for (const std::string_view source : model.sources) {
      EXPECT_TRUE(source.starts_with("pip:") || source.starts_with("hf:")) << source;
    }
  }
}

}  // namespace
}  // namespace stint::app
