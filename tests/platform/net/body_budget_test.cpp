#include "platform/net/body_budget.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

TEST(BodyBudget, gives_up_to_its_bound) {
  BodyBudget budget(10);
  EXPECT_TRUE(budget.try_take(10));
  EXPECT_FALSE(budget.try_take(1));
  EXPECT_TRUE(budget.try_take(0));
  budget.give_back(4);
  EXPECT_FALSE(budget.try_take(5));
  EXPECT_TRUE(budget.try_take(4));
  EXPECT_FALSE(budget.try_take(SIZE_MAX));
}

TEST(BudgetedBody, counts_what_has_come_and_gives_it_back) {
  BodyBudget budget(10);
  {
    BudgetedBody body(budget, 1'000'000'000);
    EXPECT_TRUE(body.append("01234"));
    EXPECT_EQ(budget.in_flight_size(), 5u);
    EXPECT_FALSE(body.append("0123456"));
    EXPECT_TRUE(body.append("56789"));
    EXPECT_EQ(body.text(), "0123456789");
  }
  EXPECT_EQ(budget.in_flight_size(), 0u);
}

TEST(BudgetedBody, trusts_an_announced_size_only_once_much_of_it_has_come) {
  BodyBudget budget(64 * base::kMiB);
  BudgetedBody body(budget, 32 * base::kMiB);
  EXPECT_TRUE(body.append("a"));
  EXPECT_LE(body.text().capacity(), 2 * base::kMiB);
  EXPECT_TRUE(body.append(std::string(base::kMiB, 'a')));
  EXPECT_GE(body.text().capacity(), 32 * base::kMiB);
}

}  // namespace
}  // namespace stint::net
