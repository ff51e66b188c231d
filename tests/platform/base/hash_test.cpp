#include "platform/base/hash.h"

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Hash, depends_on_bytes_and_on_seed) {
  EXPECT_EQ(hash_bytes("abc"), hash_bytes("abc"));
  EXPECT_NE(hash_bytes("abc"), hash_bytes("abd"));
  EXPECT_NE(hash_bytes("abc", 1), hash_bytes("abc", 2));
}

}  // namespace
}  // namespace stint::base
