#include "serve/api/base64.h"

#include <gtest/gtest.h>

#include <array>

namespace stint::api {
namespace {

TEST(Base64, the_vectors_of_rfc_4648) {
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_encode("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_encode("\xff\xfe\xfb"), "//77");
}

TEST(Base64, floats_are_little_endian) {
  EXPECT_EQ(base64_encode_floats(std::array{1.0F, -2.0F}),
            base64_encode(std::string_view("\0\0\x80\x3f\0\0\0\xc0", 8)));
}

}  // namespace
}  // namespace stint::api
