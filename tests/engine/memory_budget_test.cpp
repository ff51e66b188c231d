#include "engine/memory_budget.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace stint::engine {
namespace {

namespace fs = std::filesystem;

// A tree that looks like / to available_memory.
class MemoryBudgetTest : public testing::Test {
 protected:
  MemoryBudgetTest() {
    // Several builds of this test may run at once.
    root_ = fs::path(testing::TempDir()) / fmt::format("memory_budget_{}_{}", ::getpid(),
                                                       testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
  }
  ~MemoryBudgetTest() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  std::optional<std::uint64_t> available() { return available_memory(root_.string()); }

  fs::path root_;
};

TEST_F(MemoryBudgetTest, nothing_known_is_no_limit) {
  EXPECT_FALSE(available());
  EXPECT_TRUE(check_memory({1ULL << 40, 0, 0}, available()));
}

TEST_F(MemoryBudgetTest, meminfo_alone) {
  write("proc/meminfo", "MemTotal:        4000 kB\nMemFree:  10 kB\nMemAvailable:    3000 kB\n");
  EXPECT_EQ(available(), 3000U * 1024);
}

TEST_F(MemoryBudgetTest, the_tightest_group_counts_and_page_cache_is_free) {
  write("proc/meminfo", "MemAvailable: 900000 kB\n");
  write("proc/self/cgroup", "1:name=systemd:/x\n0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("sys/fs/cgroup/outer/memory.max", "10000\n");
  write("sys/fs/cgroup/outer/memory.current", "9000\n");
  write("sys/fs/cgroup/outer/memory.stat", "anon 3000\nactive_file 1000\ninactive_file 5000\n");
  EXPECT_EQ(available(), 7000U);
}

TEST_F(MemoryBudgetTest, a_group_over_its_limit_leaves_nothing) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(available(), 0U);
}

TEST_F(MemoryBudgetTest, damaged_files_are_ignored) {
  write("proc/meminfo", "MemAvailable: lots\n\n");
  write("proc/self/cgroup", "0::");
  EXPECT_FALSE(available());
}

TEST(MemoryBudget, too_little_is_said_in_megabytes) {
  constexpr std::uint64_t kMb = 1024 * 1024;
  EXPECT_TRUE(check_memory({100 * kMb, 50 * kMb, 10 * kMb}, 160 * kMb));
  const auto refused = check_memory({100 * kMb, 50 * kMb, 10 * kMb}, 159 * kMb);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("needs 160 MB"));
  EXPECT_THAT(refused.error().message, testing::HasSubstr("only 159 MB are available"));
}

}  // namespace
}  // namespace stint::engine
