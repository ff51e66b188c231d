#include "platform/base/clock.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"

namespace stint::base {
namespace {

TEST(Deadline, passes_at_its_point_and_not_before) {
  fakes::FakeClock clock;
  const Deadline deadline = Deadline::after(clock, std::chrono::seconds(1));
  EXPECT_FALSE(deadline.passed(clock.now()));
  clock.advance(std::chrono::milliseconds(999));
  EXPECT_FALSE(deadline.passed(clock.now()));
  clock.advance(std::chrono::milliseconds(1));
  EXPECT_TRUE(deadline.passed(clock.now()));
}

TEST(Deadline, never_does_not_pass_and_loses_against_any_other) {
  fakes::FakeClock clock;
  const Deadline second = Deadline::after(clock, std::chrono::seconds(1));
  EXPECT_FALSE(Deadline::never().passed(clock.now() + std::chrono::hours(100000)));
  EXPECT_EQ(Deadline::earlier(Deadline::never(), second).at, second.at);
}

}  // namespace
}  // namespace stint::base
