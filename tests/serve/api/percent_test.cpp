#include "serve/api/percent.h"

#include <gtest/gtest.h>

namespace stint::api {
namespace {

TEST(PercentDecode, undoes_escapes_and_keeps_what_is_none) {
  EXPECT_EQ(percent_decode("a%2Fb%3ac"), "a/b:c");
  EXPECT_EQ(percent_decode("%C3%A9"), "\xC3\xA9");
  EXPECT_EQ(percent_decode("100%"), "100%");
  EXPECT_EQ(percent_decode("%4"), "%4");
  EXPECT_EQ(percent_decode("%zz%+1%-1"), "%zz%+1%-1");
  EXPECT_EQ(percent_decode("%2541"), "%41");
}

TEST(QueryValue, finds_the_first_of_that_name) {
  EXPECT_EQ(query_value("limit=5&limit=6", "limit"), "5");
  EXPECT_EQ(query_value("xlimit=1&limit=a%20b", "limit"), "a b");
  EXPECT_EQ(query_value("beta=true&limit=", "limit"), "");
  EXPECT_EQ(query_value("limits=3&limit", "limit"), std::nullopt);
  EXPECT_EQ(query_value("", "limit"), std::nullopt);
}

}  // namespace
}  // namespace stint::api
