#include <gtest/gtest.h>

#include <thread>

#include "engine/ticket_shared.h"

namespace stint::engine {
namespace {

Output text(std::string text, TokenId token) {
  Output out;
  out.text = std::move(text);
  out.tokens.resize(1);
  out.tokens[0].token = token;
  return out;
}

Output finished() {
  Output out;
  out.finish.emplace();
  return out;
}

TEST(Ticket, hands_out_what_came_since_the_last_call_as_one) {
  const auto shared = std::make_shared<Ticket::Shared>();
  Ticket ticket(shared);
  EXPECT_FALSE(ticket.try_next());
  shared->add(text("a", 1));
  shared->add(text("b", 2));
  const auto both = ticket.try_next();
  ASSERT_TRUE(both);
  EXPECT_EQ(both->text, "ab");
  EXPECT_EQ(both->tokens.size(), 2U);
  EXPECT_FALSE(both->finish);
  EXPECT_FALSE(ticket.try_next());
  shared->add(finished());
  EXPECT_TRUE(ticket.try_next()->finish);
  EXPECT_FALSE(ticket.try_next());
}

TEST(Ticket, wait_next_blocks_until_there_is_something_and_not_after_the_finish) {
  const auto shared = std::make_shared<Ticket::Shared>();
  Ticket ticket(shared);
  std::thread engine([&] {
    shared->add(text("a", 1));
    shared->add(finished());
  });
  std::string all;
  bool ended = false;
  while (!ended) {
    const Output out = ticket.wait_next();
    all += out.text;
    ended = out.finish.has_value();
  }
  EXPECT_EQ(all, "a");
  EXPECT_FALSE(ticket.wait_next().finish);
  engine.join();
}

TEST(Ticket, destruction_and_assignment_cancel) {
  const auto first = std::make_shared<Ticket::Shared>();
  const auto second = std::make_shared<Ticket::Shared>();
  {
    Ticket ticket(first);
    ticket = Ticket(second);
    EXPECT_TRUE(first->cancelled());
    EXPECT_FALSE(second->cancelled());
    Ticket moved(std::move(ticket));
    EXPECT_FALSE(second->cancelled());
  }
  EXPECT_TRUE(second->cancelled());
}

}  // namespace
}  // namespace stint::engine
