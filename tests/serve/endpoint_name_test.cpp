#include "serve/endpoint_name.h"

#include <gtest/gtest.h>

#include <set>

namespace stint::serve {
namespace {

TEST(EndpointName, every_endpoint_has_its_own) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(api::Endpoint::ready); ++i) {
    names.insert(endpoint_name(static_cast<api::Endpoint>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(api::Endpoint::ready) + 1);
}

}  // namespace
}  // namespace stint::serve
