#include "platform/base/error.h"

#include <gtest/gtest.h>

#include <set>

#include "platform/base/result.h"

namespace stint::base {
namespace {

TEST(Error, every_kind_has_its_own_name) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::io); ++kind)
    names.insert(to_string(static_cast<ErrorKind>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorKind::io) + 1);
}

TEST(Error, fail_carries_all_four_parts) {
  const Result<int> result = fail(ErrorKind::invalid_request, "messages: is empty", "messages", "empty");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "messages: is empty");
  EXPECT_EQ(result.error().param, "messages");
  EXPECT_EQ(result.error().code, "empty");
}

}  // namespace
}  // namespace stint::base
