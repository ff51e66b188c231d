#include "engine/kernels/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace stint::kernels {
namespace {

TEST(WorkerPool, runs_the_task_once_for_every_worker) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U}) {
    WorkerPool pool(count);
    ASSERT_EQ(pool.thread_count(), count);
    std::vector<int> calls(count, 0);
    for (int run = 0; run < 200; ++run) pool.run([&](std::uint32_t worker) { ++calls[worker]; });
    EXPECT_EQ(calls, std::vector<int>(count, 200));
  }
}

TEST(WorkerPool, zero_threads_means_the_caller_alone) {
  WorkerPool pool(0);
  EXPECT_EQ(pool.thread_count(), 1u);
  pool.run([](std::uint32_t worker) { EXPECT_EQ(worker, 0u); });
}

TEST(WorkerPool, what_is_written_before_a_sync_point_is_seen_after_it) {
  constexpr std::uint32_t kCount = 4;
  WorkerPool pool(kCount);
  std::vector<std::uint32_t> values(kCount, 0);
  std::vector<std::uint32_t> wrong(kCount, 0);
  pool.run([&](std::uint32_t worker) {
    for (std::uint32_t round = 1; round <= 500; ++round) {
      values[worker] = round;
      pool.sync();
      for (const std::uint32_t value : values) wrong[worker] += value != round ? 1 : 0;
      pool.sync();
    }
  });
  EXPECT_EQ(wrong, std::vector<std::uint32_t>(kCount, 0));
}

TEST(WorkerPool, shares_cover_everything_once_in_whole_units) {
  for (const std::uint32_t count : {0U, 1U, 31U, 32U, 100U, 1536U}) {
    for (const std::uint32_t unit : {1U, 8U, 32U}) {
      for (const std::uint32_t workers : {1U, 2U, 3U, 16U}) {
        std::uint32_t next = 0;
        for (std::uint32_t worker = 0; worker < workers; ++worker) {
          const Range range = share_of(count, unit, worker, workers);
          EXPECT_EQ(range.begin, next);
          EXPECT_LE(range.begin, range.end);
          EXPECT_TRUE(range.end == count || range.end % unit == 0);
          next = range.end;
        }
        EXPECT_EQ(next, count);
      }
    }
  }
}

}  // namespace
}  // namespace stint::kernels
