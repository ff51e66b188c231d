#include "stages/admit/principal.h"

#include <gtest/gtest.h>

namespace stint::admit {
namespace {

constexpr std::string_view kSecret = "0123456789abcdef0123456789abcdef";

AccessKeys two_keys() {
  return AccessKeys({{"team-a", "key-of-team-a-0001"}, {"team-b", "key-of-team-b-0001"}});
}

TEST(PresentedCredential, bearer_token_wins_over_x_api_key) {
  EXPECT_EQ(presented_credential("Bearer abc", "def"), "abc");
  EXPECT_EQ(presented_credential("bEaReR  abc ", ""), "abc");
  EXPECT_EQ(presented_credential("", " def "), "def");
  EXPECT_EQ(presented_credential("Basic abc", "def"), "def");
  EXPECT_EQ(presented_credential("Bearer ", "def"), "def");
  EXPECT_EQ(presented_credential("", ""), "");
}

TEST(PrincipalFinder, without_keys_everyone_enters_and_the_credential_parts_tenants) {
  PrincipalFinder finder(kSecret);
  const auto one = finder.find({}, "sk-1");
  const auto same = finder.find({}, "sk-1");
  const auto other = finder.find({}, "sk-2");
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->name, "open");
  EXPECT_EQ(one->salt, same->salt);
  EXPECT_NE(one->salt, other->salt);
}

TEST(PrincipalFinder, with_keys_only_they_open) {
  PrincipalFinder finder(kSecret);
  const AccessKeys keys = two_keys();
  const auto a = finder.find(keys, "key-of-team-a-0001");
  const auto b = finder.find(keys, "key-of-team-b-0001");
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->name, "team-a");
  EXPECT_NE(a->salt, b->salt);
  for (const char* wrong : {"", "key-of-team-a-000", "key-of-team-a-00011", "key-of-team-c-0001"}) {
    const auto refused = finder.find(keys, wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().kind, ErrorKind::authentication);
  }
}

TEST(PrincipalFinder, salts_depend_on_the_process_secret_and_on_how_the_tenant_is_known) {
  PrincipalFinder finder(kSecret);
  PrincipalFinder other_process("another secret of 16");
  EXPECT_NE(finder.find({}, "x")->salt, other_process.find({}, "x")->salt);
  const AccessKeys key_named_like_a_credential({{"x", "key-of-team-a-0001"}});
  EXPECT_NE(finder.find({}, "x")->salt, finder.find(key_named_like_a_credential, "key-of-team-a-0001")->salt);
}

}  // namespace
}  // namespace stint::admit
