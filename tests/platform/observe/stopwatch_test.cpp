#include "platform/observe/stopwatch.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace stint::observe {
namespace {

using namespace std::chrono_literals;

TEST(Stopwatch, laps_add_up_to_the_elapsed_time) {
  fakes::FakeClock clock;
  Stopwatch stopwatch(clock);
  EXPECT_EQ(stopwatch.elapsed(), 0ns);
  clock.advance(3ms);
  EXPECT_EQ(stopwatch.lap(), 3ms);
  clock.advance(4ms);
  EXPECT_EQ(stopwatch.elapsed(), 7ms);
  EXPECT_EQ(stopwatch.lap(), 4ms);
  EXPECT_EQ(stopwatch.lap(), 0ms);
}

}  // namespace
}  // namespace stint::observe
