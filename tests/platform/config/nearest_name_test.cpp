#include "platform/config/nearest_name.h"

#include <gtest/gtest.h>

namespace stint::config {
namespace {

const std::set<std::string, std::less<>>& names() {
  static const std::set<std::string, std::less<>> kNames{"addr", "admin", "max_resident_tokens", "threads"};
  return kNames;
}

TEST(NearestName, one_edit_of_each_sort) {
  EXPECT_EQ(nearest_name("adr", names()), "addr") << "missing letter";
  EXPECT_EQ(nearest_name("addrr", names()), "addr") << "extra letter";
  EXPECT_EQ(nearest_name("thraeds", names()), "threads") << "swapped letters";
  EXPECT_EQ(nearest_name("threats", names()), "threads") << "wrong letter";
  EXPECT_EQ(nearest_name("Threads", names()), "threads") << "other case";
}

TEST(NearestName, a_longer_name_may_have_more_edits) {
  EXPECT_EQ(nearest_name("max_residant_token", names()), "max_resident_tokens");
  EXPECT_EQ(nearest_name("max-resident-tokens", names()), "max_resident_tokens");
}

TEST(NearestName, nothing_is_near) {
  EXPECT_EQ(nearest_name("listen", names()), "");
  EXPECT_EQ(nearest_name("x", names()), "");
  EXPECT_EQ(nearest_name("", names()), "");
  EXPECT_EQ(nearest_name("addr", {}), "");
  EXPECT_EQ(nearest_name(std::string(65, 'a'), names()), "");
  EXPECT_EQ(nearest_name("addr", {std::string(65, 'a')}), "");
}

TEST(NearestName, the_nearest_of_several_wins) {
  EXPECT_EQ(nearest_name("cash", {"cache", "cast", "crash"}), "cast") << "equal to crash: the first in order";
  EXPECT_EQ(nearest_name("caches", {"cache", "catches"}), "cache");
  EXPECT_EQ(nearest_name("timeout_s", {"timeout", "timeout_ms"}), "timeout_ms");
}

TEST(NearestName, longest_names_fit) {
  EXPECT_EQ(nearest_name(std::string(64, 'a'), {std::string(63, 'a') + 'b'}), std::string(63, 'a') + 'b');
}

}  // namespace
}  // namespace stint::config
