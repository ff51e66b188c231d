#include "platform/base/bounded_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace stint::base {
namespace {

TEST(BoundedQueue, hands_items_out_in_order) {
  BoundedQueue<std::string> queue(2);
  EXPECT_TRUE(queue.try_push("a"));
  EXPECT_TRUE(queue.try_push("b"));
  EXPECT_EQ(queue.pop(), "a");
  EXPECT_EQ(queue.pop(), "b");
}

TEST(BoundedQueue, refuses_when_full_and_leaves_the_item_with_the_caller) {
  BoundedQueue<std::string> queue(1);
  EXPECT_TRUE(queue.try_push("a"));
  std::string second = "b";
  EXPECT_FALSE(queue.try_push(std::move(second)));
  EXPECT_EQ(second, "b");
}

TEST(BoundedQueue, close_drains_what_is_there_then_ends) {
  BoundedQueue<std::string> queue(2);
  EXPECT_TRUE(queue.try_push("a"));
  queue.close();
  EXPECT_FALSE(queue.try_push("b"));
  EXPECT_EQ(queue.pop(), "a");
  EXPECT_EQ(queue.pop(), std::nullopt);
}

}  // namespace
}  // namespace stint::base
