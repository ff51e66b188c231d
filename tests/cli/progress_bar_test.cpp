#include "cli/progress_bar.h"

#include <gtest/gtest.h>

namespace stint::cli {
namespace {

TEST(ProgressLine, shows_share_amount_speed_and_rest) {
  EXPECT_EQ(progress_line(50'000'000, 100'000'000, 10e6),
            "[############............]  50 %  50/100 MB  10.0 MB/s  5 s left");
  EXPECT_EQ(progress_line(100'000'000, 100'000'000, 0), "[########################] 100 %  100/100 MB  0.0 MB/s");
}

TEST(ProgressLine, does_without_a_total) {
  EXPECT_EQ(progress_line(3'000'000, std::nullopt, 1e6), "3 MB  1.0 MB/s");
}

TEST(ProgressLine, more_than_expected_is_all) {
  EXPECT_EQ(progress_line(200, 100, 0), "[########################] 100 %  0/0 MB  0.0 MB/s");
}

}  // namespace
}  // namespace stint::cli
