#include "platform/net/notify.h"

#include <gtest/gtest.h>

#include "platform/net/waiter.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

using std::chrono::seconds;

Task<bool> wait_on(Notify& notify, base::Deadline deadline) {
  co_return co_await notify.wait(deadline);
}

TEST(Notify, wakes_one_or_all_in_order_of_waiting) {
  fakes::FakeLoop fake;
  Notify notify;
  std::array<std::optional<bool>, 3> woken;
  for (auto& result : woken) fake.start(wait_on(notify, base::Deadline::never()), result);
  notify.notify_one();
  fake.settle();
  EXPECT_EQ(woken[0], true);
  EXPECT_FALSE(woken[1]);
  notify.notify_all();
  fake.settle();
  EXPECT_EQ(woken[1], true);
  EXPECT_EQ(woken[2], true);
  EXPECT_FALSE(notify.has_waiters());
}

TEST(Notify, gives_false_at_the_deadline_and_forgets_the_waiter) {
  fakes::FakeLoop fake;
  Notify notify;
  std::optional<bool> woken;
  fake.start(wait_on(notify, base::Deadline::after(fake.clock(), seconds(1))), woken);
  fake.advance(seconds(1));
  EXPECT_EQ(woken, false);
  EXPECT_FALSE(notify.has_waiters());
}

TEST(Notify, a_notification_beats_a_deadline_of_the_same_turn) {
  fakes::FakeLoop fake;
  Notify notify;
  std::optional<bool> woken;
  fake.start(wait_on(notify, base::Deadline::after(fake.clock(), seconds(1))), woken);
  notify.notify_all();
  fake.advance(seconds(1));
  EXPECT_EQ(woken, true);
}

Task<bool> wait_latch(Latch& latch) {
  co_return co_await latch.wait();
}

TEST(Latch, stays_set_and_calls_back_once) {
  fakes::FakeLoop fake;
  Latch latch;
  int call_count = 0;
  latch.on_set([&] { ++call_count; });
  std::optional<bool> before;
  fake.start(wait_latch(latch), before);
  latch.set();
  latch.set();
  fake.settle();
  EXPECT_EQ(before, true);
  EXPECT_EQ(fake.run(wait_latch(latch)), true);
  EXPECT_EQ(call_count, 1);
  latch.on_set([&] { ++call_count; });
  EXPECT_EQ(call_count, 2);
}

}  // namespace
}  // namespace stint::net
