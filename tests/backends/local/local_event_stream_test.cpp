#include "backends/local/local_event_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/ticket_shared.h"
#include "tests/fakes/fake_loop.h"

namespace stint::local {
namespace {

using chat::Event;
using std::chrono::seconds;
using testing::ElementsAre;

engine::Output text(std::string words, std::uint32_t token_count = 1) {
  engine::Output output;
  output.text = std::move(words);
  output.tokens.resize(token_count);
  return output;
}

engine::Output finished(engine::FinishReason reason = engine::FinishReason::end_of_generation) {
  engine::Output output;
  output.finish = engine::Finish{.reason = reason, .prompt_tokens = 10, .cached_prompt_tokens = 4, .output_tokens = 3};
  return output;
}

// A stream over tickets that the test fills as the engine would; no engine, because nobody asks for log probabilities.
class LocalEventStreamTest : public testing::Test {
 protected:
  ~LocalEventStreamTest() override { fake_.loop().shutdown(); }

  void open(std::size_t ticket_count) {
    std::vector<engine::Ticket> tickets;
    for (std::size_t i = 0; i < ticket_count; ++i) {
      tickets_.push_back(std::make_shared<engine::Ticket::Shared>());
      tickets.emplace_back(tickets_.back());
    }
    stream_ = std::make_unique<LocalEventStream>(nullptr, wake_, std::move(tickets),
                                                 LocalEventStream::Facts{.prompt_tokens = 10 * ticket_count});
    EXPECT_EQ(next().kind, Event::Kind::start);
  }
  void give(std::size_t index, engine::Output output) {
    tickets_.at(index)->add(std::move(output));
    wake_->raise();
  }
  Event next() { return fake_.run(stream_->next(base::Deadline::never())).value(); }

  fakes::FakeLoop fake_;
  std::shared_ptr<WakeSignal> wake_ = std::make_shared<WakeSignal>(fake_.loop());
  std::vector<std::shared_ptr<engine::Ticket::Shared>> tickets_;
  std::unique_ptr<LocalEventStream> stream_;
  std::optional<Result<Event>> pending_;
};

TEST_F(LocalEventStreamTest, begins_with_the_tokens_of_all_prompts) {
  std::vector<engine::Ticket> tickets;
  tickets.emplace_back(std::make_shared<engine::Ticket::Shared>());
  LocalEventStream stream(nullptr, wake_, std::move(tickets), {.prompt_tokens = 12});
  const Event start = fake_.run(stream.next(base::Deadline::never())).value();
  EXPECT_EQ(start.kind, Event::Kind::start);
  EXPECT_EQ(start.usage.input_tokens, 12u);
}

TEST_F(LocalEventStreamTest, what_came_meanwhile_is_one_event) {
  open(1);
  give(0, text("Hel"));
  give(0, text("lo", 2));
  const Event event = next();
  EXPECT_EQ(event.text, "Hello");
  EXPECT_EQ(event.token_count, 3u);
}

TEST_F(LocalEventStreamTest, the_engine_wakes_who_waits) {
  open(1);
  fake_.start(stream_->next(base::Deadline::never()), pending_);
  EXPECT_FALSE(pending_);
  give(0, text("Hi"));
  fake_.settle();
  ASSERT_TRUE(pending_);
  EXPECT_EQ((*pending_)->text, "Hi");
}

TEST_F(LocalEventStreamTest, a_wait_ends_at_its_deadline_and_may_be_repeated) {
  open(1);
  fake_.start(stream_->next(base::Deadline::after(fake_.clock(), seconds(15))), pending_);
  fake_.advance(seconds(15));
  ASSERT_TRUE(pending_);
  ASSERT_FALSE(*pending_);
  EXPECT_EQ(pending_->error().kind, ErrorKind::timeout);
  give(0, text("Hi"));
  EXPECT_EQ(next().text, "Hi");
}

TEST_F(LocalEventStreamTest, the_finish_splits_the_prompt_into_computed_and_cached) {
  open(1);
  give(0, finished(engine::FinishReason::length));
  const Event finish = next();
  EXPECT_EQ(finish.kind, Event::Kind::finish);
  EXPECT_EQ(finish.finish_reason, chat::FinishReason::length);
  EXPECT_EQ(finish.usage.input_tokens, 6u);
  EXPECT_EQ(finish.usage.cache_read_tokens, 4u);
  EXPECT_EQ(finish.usage.output_tokens, 3u);
}

TEST_F(LocalEventStreamTest, every_choice_ends_by_itself_and_the_last_one_ends_the_answer) {
  open(2);
  give(1, finished(engine::FinishReason::length));
  const Event second = next();
  EXPECT_EQ(second.kind, Event::Kind::choice_finish);
  EXPECT_EQ(second.index, 1u);
  EXPECT_EQ(second.finish_reason, chat::FinishReason::length);
  give(0, text("Hi"));
  EXPECT_EQ(next().index, 0u);
  give(0, finished());
  EXPECT_EQ(next().kind, Event::Kind::choice_finish);
  const Event finish = next();
  EXPECT_EQ(finish.kind, Event::Kind::finish);
  EXPECT_EQ(finish.usage.total_input_tokens(), 20u);
  EXPECT_EQ(finish.usage.output_tokens, 6u);
}

TEST_F(LocalEventStreamTest, a_failure_of_the_engine_is_an_error_event) {
  open(1);
  engine::Output failed = finished(engine::FinishReason::failed);
  failed.finish->error = Error{.kind = ErrorKind::unavailable, .message = "shutting down"};
  give(0, std::move(failed));
  const Event error = next();
  EXPECT_EQ(error.kind, Event::Kind::error);
  ASSERT_TRUE(error.error);
  EXPECT_EQ(error.error->message, "shutting down");
}

TEST_F(LocalEventStreamTest, cancelling_ends_a_pending_next_and_every_ticket) {
  open(2);
  fake_.start(stream_->next(base::Deadline::never()), pending_);
  stream_->cancel();
  fake_.settle();
  ASSERT_TRUE(pending_);
  ASSERT_FALSE(*pending_);
  EXPECT_EQ(pending_->error().kind, ErrorKind::cancelled);
  for (const auto& ticket : tickets_) EXPECT_TRUE(ticket->cancelled());
}

TEST_F(LocalEventStreamTest, whoever_drops_it_cancels_its_tickets) {
  open(2);
  stream_.reset();
  for (const auto& ticket : tickets_) EXPECT_TRUE(ticket->cancelled());
}

TEST_F(LocalEventStreamTest, embeddings_carry_the_place_of_their_input) {
  open(2);
  engine::Output output = finished();
  output.embedding = {0.5F, 0.5F};
  give(1, std::move(output));
  const Event event = next();
  EXPECT_EQ(event.kind, Event::Kind::embedding);
  EXPECT_EQ(event.index, 1u);
  EXPECT_THAT(event.embedding, ElementsAre(0.5F, 0.5F));
}

}  // namespace
}  // namespace stint::local
