#include "backends/local/wake_signal.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/fakes/fake_loop.h"

namespace stint::local {
namespace {

net::Task<bool> wait(WakeSignal& signal, base::Deadline deadline) {
  co_return co_await signal.wait(deadline);
}

class WakeSignalTest : public testing::Test {
 protected:
  ~WakeSignalTest() override { fake_.loop().shutdown(); }

  fakes::FakeLoop fake_;
  std::shared_ptr<WakeSignal> signal_ = std::make_shared<WakeSignal>(fake_.loop());
  std::optional<bool> raised_;
};

TEST_F(WakeSignalTest, another_thread_wakes_who_waits) {
  fake_.start(wait(*signal_, base::Deadline::never()), raised_);
  EXPECT_FALSE(raised_);
  std::thread([this] { signal_->raise(); }).join();
  fake_.settle();
  EXPECT_EQ(raised_, true);
}

TEST_F(WakeSignalTest, it_can_be_raised_again_after_each_wake) {
  for (int i = 0; i < 3; ++i) {
    raised_.reset();
    fake_.start(wait(*signal_, base::Deadline::never()), raised_);
    signal_->raise();
    signal_->raise();
    fake_.settle();
    EXPECT_EQ(raised_, true);
  }
}

TEST_F(WakeSignalTest, waiting_ends_at_the_deadline) {
  fake_.start(wait(*signal_, base::Deadline::after(fake_.clock(), std::chrono::seconds(1))), raised_);
  fake_.advance(std::chrono::seconds(1));
  EXPECT_EQ(raised_, false);
}

TEST_F(WakeSignalTest, a_wake_that_comes_late_does_no_harm) {
  signal_->raise();
  signal_.reset();
  fake_.settle();
}

}  // namespace
}  // namespace stint::local
