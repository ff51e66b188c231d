#include "platform/crypto/hmac.h"

#include <gtest/gtest.h>

namespace stint::crypto {
namespace {

// RFC 4231, test cases 1, 2 and 6.
TEST(HmacSha256, standard_examples) {
  HmacSha256 first(std::string(20, '\x0b'));
  EXPECT_EQ(to_hex(first.mac("Hi There")), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  HmacSha256 second("Jefe");
  EXPECT_EQ(to_hex(second.mac("what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  HmacSha256 long_key(std::string(131, '\xaa'));
  EXPECT_EQ(to_hex(long_key.mac("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacSha256, reuse_forgets_the_message_and_keeps_the_key) {
  HmacSha256 hmac("Jefe");
  const Digest expected = hmac.mac("what do ya want for nothing?");
  EXPECT_NE(hmac.mac("something else"), expected);
  EXPECT_EQ(hmac.mac("what do ya want for nothing?"), expected);
}

TEST(HmacSha256, parts_give_the_same_digest_as_the_whole) {
  HmacSha256 hmac("key");
  hmac.update("what do ya ");
  hmac.update("");
  hmac.update("want");
  EXPECT_EQ(hmac.finish(), hmac.mac("what do ya want"));
}

TEST(HmacSha256, another_key_gives_another_digest) {
  HmacSha256 a("key a");
  HmacSha256 b("key b");
  EXPECT_NE(a.mac("message"), b.mac("message"));
  EXPECT_NE(a.mac(""), b.mac(""));
}

TEST(HmacSha256, moves) {
  HmacSha256 first("Jefe");
  const Digest expected = first.mac("m");
  HmacSha256 second = std::move(first);
  EXPECT_EQ(second.mac("m"), expected);
}

}  // namespace
}  // namespace stint::crypto
