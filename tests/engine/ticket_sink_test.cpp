#include "engine/ticket_sink.h"

#include <gtest/gtest.h>

#include "tests/engine/letter_vocabulary.h"

namespace stint::engine {
namespace {

using sched::Verdict;

class TicketSinkTest : public testing::Test {
 protected:
  TicketSink make(Submission submission) {
    submission.wake = [this] { ++wakes_; };
    return {shared_, *tokenizer_, submission};
  }

  static OutputToken token(TokenId id) {
    OutputToken out;
    out.token = id;
    return out;
  }

  std::unique_ptr<const tokenizer::Tokenizer> tokenizer_ = letter_tokenizer();
  std::shared_ptr<Ticket::Shared> shared_ = std::make_shared<Ticket::Shared>();
  int wakes_ = 0;
};

TEST_F(TicketSinkTest, wakes_the_reader_for_text_and_finish_alone) {
  Submission submission;
  submission.stop_strings = {"ab"};
  TicketSink sink = make(submission);
  EXPECT_EQ(sink.on_token(token(letter('x'))), Verdict::proceed);
  EXPECT_EQ(wakes_, 1);
  EXPECT_EQ(sink.on_token(token(letter('a'))), Verdict::proceed);
  EXPECT_EQ(wakes_, 1) << "held back: it may begin the stop string";
  EXPECT_EQ(sink.on_token(token(letter('b'))), Verdict::stop_string);
  EXPECT_EQ(wakes_, 1);
  Finish finish;
  finish.reason = FinishReason::stop_string;
  sink.on_finish(finish);
  EXPECT_EQ(wakes_, 2);
  const Output out = *shared_->try_next();
  EXPECT_EQ(out.text, "x");
  EXPECT_EQ(out.tokens.size(), 1U);
  EXPECT_EQ(out.finish->stop_string, "ab");
}

TEST_F(TicketSinkTest, end_of_generation_ends_unless_it_is_to_be_ignored) {
  EXPECT_EQ(make({}).on_token(token(kEnd)), Verdict::end_of_generation);
  Submission ignoring;
  ignoring.ignore_end_of_generation = true;
  TicketSink sink = make(ignoring);
  EXPECT_EQ(sink.on_token(token(kEnd)), Verdict::proceed);
  const Output out = *shared_->try_next();
  EXPECT_EQ(out.text, "");
  EXPECT_EQ(out.tokens.size(), 1U);
}

TEST_F(TicketSinkTest, what_was_held_back_comes_with_the_finish) {
  Submission submission;
  submission.stop_strings = {"ab"};
  TicketSink sink = make(submission);
  sink.on_token(token(letter('a')));
  sink.on_finish({});
  const Output out = *shared_->try_next();
  EXPECT_EQ(out.text, "a");
  EXPECT_EQ(out.tokens.size(), 1U);
  EXPECT_TRUE(out.finish);
}

TEST_F(TicketSinkTest, an_embedding_is_passed_on) {
  TicketSink sink = make({});
  sink.on_embedding({0.5f, 0.25f});
  EXPECT_EQ(shared_->try_next()->embedding, (std::vector<float>{0.5f, 0.25f}));
}

TEST_F(TicketSinkTest, cancelling_the_ticket_is_seen) {
  TicketSink sink = make({});
  EXPECT_FALSE(sink.cancelled());
  shared_->cancel();
  EXPECT_TRUE(sink.cancelled());
}

}  // namespace
}  // namespace stint::engine
