#include "engine/kernels/cpu_count.h"

#include <gtest/gtest.h>

#include <thread>

namespace stint::kernels {
namespace {

TEST(CpuCount, reads_quotas_and_rounds_up) {
  EXPECT_EQ(parse_cpu_max("max 100000\n"), 0u);
  EXPECT_EQ(parse_cpu_max("200000 100000\n"), 2u);
  EXPECT_EQ(parse_cpu_max("150000 100000"), 2u);
  EXPECT_EQ(parse_cpu_max("10000 100000"), 1u);
  EXPECT_EQ(parse_cpu_max("-1\n 100000\n"), 0u);
  EXPECT_EQ(parse_cpu_max(""), 0u);
  EXPECT_EQ(parse_cpu_max("5"), 0u);
  EXPECT_EQ(parse_cpu_max("5 0"), 0u);
}

TEST(CpuCount, is_at_least_one_and_no_more_than_the_machine_has) {
  EXPECT_GE(cpu_count(), 1u);
  EXPECT_LE(cpu_count(), std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace stint::kernels
