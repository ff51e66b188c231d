#include "engine/driver.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "platform/base/random.h"
#include "tests/engine/letter_vocabulary.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/hash_model.h"

namespace stint::engine {
namespace {

// Lets the model's steps through one by one, or all.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_ || permits_ > 0; });
    if (!open_) --permits_;
  }
  void permit(int count) {
    const std::lock_guard lock(mutex_);
    permits_ += count;
    changed_.notify_all();
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  // Until `count` steps have come to the gate, passed or not.
  void wait_for_arrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int permits_ = 0;
  int arrived_ = 0;
};

struct Answer {
  std::string text;
  std::vector<TokenId> tokens;
  std::vector<float> embedding;
  Finish finish;
};

Answer read(Ticket& ticket) {
  Answer answer;
  while (true) {
    Output out = ticket.wait_next();
    answer.text += out.text;
    for (const OutputToken& token : out.tokens) answer.tokens.push_back(token.token);
    if (!out.embedding.empty()) answer.embedding = std::move(out.embedding);
    if (!out.finish) continue;
    answer.finish = *std::move(out.finish);
    return answer;
  }
}

class DriverTest : public testing::Test {
 protected:
  // Requires: called once, first.
  void start(sched::Limits limits, bool gated = false) {
    if (!gated) gate_.open();
    driver_ = std::make_unique<Driver>(model_, *tokenizer_, limits, fakes::HashModel::page_shape(), 64, clock_);
    thread_ = std::thread([this] { driver_->run(); });
  }

  static sched::Limits limits() {
    sched::Limits limits;
    limits.step_token_budget = 64;
    limits.max_resident_tokens = 1000;
    limits.context_tokens = 500;
    return limits;
  }

  static Submission submission(TokenId mark, std::uint32_t max_output_tokens) {
    Submission out;
    out.prompt = {mark, 3, 4, 5};
    out.max_output_tokens = max_output_tokens;
    out.sampling.temperature = 0;
    out.sampling.logit_bias = {{kEnd, -100.0f}};
    return out;
  }

  void stop() {
    gate_.open();
    if (driver_) driver_->stop();
    if (thread_.joinable()) thread_.join();
  }

  ~DriverTest() override { stop(); }

  fakes::FakeClock clock_;
  Gate gate_;
  fakes::HashModel model_{[this] { gate_.pass(); }};
  std::unique_ptr<const tokenizer::Tokenizer> tokenizer_ = letter_tokenizer();
  std::unique_ptr<Driver> driver_;
  std::thread thread_;
};

TEST_F(DriverTest, answers_a_submission) {
  start(limits());
  Ticket ticket = *driver_->submit(submission(7, 20));
  const Answer answer = read(ticket);
  EXPECT_EQ(answer.finish.reason, FinishReason::length);
  EXPECT_EQ(answer.tokens.size(), 20U);
  EXPECT_EQ(answer.text, tokenizer_->decode(answer.tokens));
}

TEST_F(DriverTest, many_readers_get_what_they_get_alone) {
  start(limits());
  constexpr TokenId kCount = 16;
  std::vector<std::vector<TokenId>> alone;
  for (TokenId mark = 0; mark < kCount; ++mark) {
    Ticket ticket = *driver_->submit(submission(mark, 30));
    alone.push_back(read(ticket).tokens);
  }
  std::vector<std::thread> readers;
  for (TokenId mark = 0; mark < kCount; ++mark) {
    readers.emplace_back([&, mark] {
      for (int round = 0; round < 5; ++round) {
        Ticket ticket = *driver_->submit(submission(mark, 30));
        EXPECT_EQ(read(ticket).tokens, alone[mark]);
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  const EngineStats stats = driver_->stats();
  EXPECT_EQ(stats.submitted, kCount * 6U);
  EXPECT_EQ(stats.waiting, 0U);
}

TEST_F(DriverTest, a_cancelled_ticket_is_not_in_the_next_step) {
  start(limits(), true);
  std::optional<Ticket> first = *driver_->submit(submission(7, 400));
  gate_.wait_for_arrivals(1);
  Ticket second = *driver_->submit(submission(8, 400));
  gate_.permit(4);
  gate_.wait_for_arrivals(5);  // the fifth step is planned and stands at the gate
  first.reset();
  gate_.permit(1);
  gate_.wait_for_arrivals(6);
  gate_.permit(1);
  gate_.wait_for_arrivals(7);
  const auto log = model_.log();
  ASSERT_EQ(log.size(), 6U);
  EXPECT_EQ(log[4].size(), 2U);
  ASSERT_EQ(log[5].size(), 1U);
  EXPECT_EQ(log[5][0].first_token, 8U);
}

TEST_F(DriverTest, submit_refuses_a_full_queue_and_recovers) {
  start(limits(), true);
  std::vector<Ticket> tickets;
  tickets.push_back(*driver_->submit(submission(7, 1)));
  gate_.wait_for_arrivals(1);  // running; everything from here on waits
  for (std::size_t i = 0; i < kQueueCountMax; ++i) tickets.push_back(*driver_->submit(submission(7, 1)));
  const auto refused = driver_->submit(submission(7, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::overloaded);
  EXPECT_EQ(driver_->stats().rejected, 1U);
  EXPECT_EQ(driver_->stats().waiting, kQueueCountMax);
  gate_.open();
  for (Ticket& ticket : tickets) EXPECT_EQ(read(ticket).finish.reason, FinishReason::length);
  EXPECT_TRUE(driver_->submit(submission(7, 1)));
}

TEST_F(DriverTest, submit_refuses_a_prompt_that_does_not_fit_at_once) {
  start(limits());
  Submission large = submission(7, 1);
  large.prompt.assign(500, 3);
  const auto refused = driver_->submit(std::move(large));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "context_length_exceeded");
}

TEST_F(DriverTest, stopping_ends_running_waiting_and_later_submissions_with_unavailable) {
  sched::Limits narrow = limits();
  narrow.max_resident_tokens = 100;
  start(narrow, true);
  Ticket running = *driver_->submit(submission(7, 90));
  gate_.wait_for_arrivals(1);
  Ticket waiting = *driver_->submit(submission(8, 90));
  driver_->stop();
  const auto refused = driver_->submit(submission(9, 90));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
  stop();
  driver_.reset();  // tickets outlive it
  for (Ticket* ticket : {&running, &waiting}) {
    const Answer answer = read(*ticket);
    EXPECT_EQ(answer.finish.reason, FinishReason::failed);
    EXPECT_EQ(answer.finish.error->kind, ErrorKind::unavailable);
  }
}

TEST_F(DriverTest, a_deadline_that_passes_while_running_ends_with_timeout) {
  start(limits(), true);
  Submission late = submission(7, 400);
  late.deadline = base::Deadline::after(clock_, std::chrono::seconds(1));
  Ticket ticket = *driver_->submit(std::move(late));
  gate_.wait_for_arrivals(1);
  clock_.advance(std::chrono::seconds(2));
  gate_.open();
  EXPECT_EQ(read(ticket).finish.error->kind, ErrorKind::timeout);
}

TEST_F(DriverTest, stop_strings_end_an_answer_and_do_not_show) {
  start(limits());
  Ticket whole = *driver_->submit(submission(7, 40));
  const std::string text = read(whole).text;
  ASSERT_GT(text.size(), 20U);
  Submission stopping = submission(7, 40);
  stopping.stop_strings = {text.substr(10, 4)};
  Ticket ticket = *driver_->submit(std::move(stopping));
  const Answer answer = read(ticket);
  EXPECT_EQ(answer.finish.reason, FinishReason::stop_string);
  EXPECT_EQ(answer.finish.stop_string, text.substr(10, 4));
  EXPECT_EQ(answer.text, text.substr(0, text.find(text.substr(10, 4))));
}

TEST_F(DriverTest, embeddings_and_answers_share_steps) {
  start(limits());
  Submission embed = submission(9, 1);
  embed.kind = Submission::Kind::embed;
  Ticket alone = *driver_->submit(Submission(embed));
  const std::vector<float> expected = read(alone).embedding;
  EXPECT_EQ(expected.size(), fakes::HashModel::kEmbeddingSize);
  Ticket other = *driver_->submit(submission(7, 50));
  Ticket again = *driver_->submit(std::move(embed));
  EXPECT_EQ(read(again).embedding, expected);
  EXPECT_EQ(read(other).tokens.size(), 50U);
}

TEST_F(DriverTest, the_wake_function_is_called_and_may_be_slow_to_be_heeded) {
  start(limits());
  std::atomic<int> wakes{0};
  Submission waking = submission(7, 30);
  waking.wake = [&] { ++wakes; };
  Ticket ticket = *driver_->submit(std::move(waking));
  Ticket unread = *driver_->submit(submission(8, 300));
  EXPECT_EQ(read(ticket).tokens.size(), 30U);
  EXPECT_GT(wakes.load(), 1);
  EXPECT_EQ(read(unread).tokens.size(), 300U) << "nobody read for a while; nothing was lost";
}

TEST_F(DriverTest, random_clients_under_pressure_each_get_one_finish) {
  sched::Limits narrow = limits();
  narrow.max_resident_tokens = 120;
  narrow.context_tokens = 200;
  narrow.step_token_budget = 16;
  start(narrow);
  std::vector<std::thread> clients;
  std::atomic<int> finishes{0};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    clients.emplace_back([&, seed] {
      base::Random random(seed);
      for (int round = 0; round < 40; ++round) {
        Submission next =
            submission(static_cast<TokenId>(random.below(40)), 1 + static_cast<std::uint32_t>(random.below(60)));
        next.prompt.resize(1 + random.below(100), 6);
        next.priority = static_cast<Priority>(random.below(3));
        Ticket ticket = *driver_->submit(std::move(next));
        if (random.below(3) == 0) ticket.cancel();
        read(ticket);
        ++finishes;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(finishes.load(), 160);
  EXPECT_EQ(driver_->stats().submitted, 160U);
}

}  // namespace
}  // namespace stint::engine
