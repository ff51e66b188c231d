#include "platform/crypto/constant_time.h"

#include <gtest/gtest.h>

namespace stint::crypto {
namespace {

TEST(ConstantTimeEqual, equal_means_the_same_bytes) {
  EXPECT_TRUE(constant_time_equal("", ""));
  EXPECT_TRUE(constant_time_equal("sk-secret", "sk-secret"));
  EXPECT_TRUE(constant_time_equal(std::string_view("a\0b", 3), std::string_view("a\0b", 3)));
}

TEST(ConstantTimeEqual, any_difference_is_found) {
  const std::string expected = "0123456789abcdef";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::string given = expected;
    given[i] ^= 1;
    EXPECT_FALSE(constant_time_equal(given, expected)) << i;
  }
}

TEST(ConstantTimeEqual, a_prefix_or_an_extension_is_not_equal) {
  EXPECT_FALSE(constant_time_equal("abc", "abcd"));
  EXPECT_FALSE(constant_time_equal("abcd", "abc"));
  EXPECT_FALSE(constant_time_equal("", "abc"));
  EXPECT_FALSE(constant_time_equal("abc", ""));
  EXPECT_FALSE(constant_time_equal(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

}  // namespace
}  // namespace stint::crypto
