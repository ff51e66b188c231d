#include "platform/net/http_date.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

TEST(HttpDate, writes_the_form_of_the_standard) {
  HttpDate date;
  EXPECT_EQ(date.at(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(date.at(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(date.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(date.at(1709210096), "Thu, 29 Feb 2024 12:34:56 GMT");
}

}  // namespace
}  // namespace stint::net
