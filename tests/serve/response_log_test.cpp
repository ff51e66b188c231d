#include "serve/response_log.h"

#include <gtest/gtest.h>

#include "platform/base/limits.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/scripted_event_stream.h"

namespace stint::serve {
namespace {

class ResponseLogTest : public ::testing::Test {
 protected:
  std::shared_ptr<ResponseLog> start(ResponseLog::Policy policy) {
    return ResponseLog::start(loop_, std::make_unique<fakes::ScriptedEventStream>(script_), policy);
  }

  // Everything that `cursor` can give without waiting, texts joined; "$" marks the finish, "!" an error.
  std::string read_all(backends::EventStream& cursor) {
    std::string text;
    while (true) {
      const auto event = loop_.run(cursor.next(base::Deadline{clock_.now()}));
      if (!event) return text + (event.error().kind == ErrorKind::cancelled ? "x" : "");
      if (event->kind == chat::Event::Kind::text_delta) text += event->text;
      if (event->kind == chat::Event::Kind::finish) return text + "$";
      if (event->kind == chat::Event::Kind::error) return text + "!" + event->error->message;
    }
  }

  fakes::FakeClock clock_;
  net::MemoryPoller poller_;
  fakes::EventScript script_;
  net::Loop loop_{clock_, poller_};
};

TEST_F(ResponseLogTest, a_cursor_reads_what_the_source_gave_in_order) {
  auto cursor = start({})->open_cursor();
  script_.push_text("a");
  script_.push_text("b");
  script_.push_finish();
  loop_.run_until_idle();
  EXPECT_EQ(read_all(*cursor), "ab$");
}

TEST_F(ResponseLogTest, every_cursor_of_a_replayable_log_sees_the_whole_answer) {
  auto log = start({.replayable = true});
  auto first = log->open_cursor();
  script_.push_text("a");
  loop_.run_until_idle();
  EXPECT_EQ(read_all(*first), "a");
  auto second = log->open_cursor();
  script_.push_text("b");
  script_.push_finish();
  loop_.run_until_idle();
  EXPECT_EQ(read_all(*first), "b$");
  EXPECT_EQ(read_all(*second), "ab$");
}

TEST_F(ResponseLogTest, a_full_window_pauses_the_source_until_it_is_read) {
  auto log = start({});
  auto cursor = log->open_cursor();
  const std::string text(base::kAnswerWindowSize / 4, 'x');
  for (int i = 0; i < 20; ++i) script_.push_text(text);
  script_.push_finish();
  loop_.run_until_idle();
  EXPECT_LT(script_.taken_count, 6u);
  EXPECT_LE(log->kept_size(), 2 * base::kAnswerWindowSize);
  std::string all;
  for (int round = 0; round < 30 && !all.ends_with('$'); ++round) {
    all += read_all(*cursor);
    loop_.run_until_idle();
  }
  EXPECT_EQ(all.size(), 20 * text.size() + 1);
}

TEST_F(ResponseLogTest, the_source_is_cancelled_when_the_last_reader_leaves) {
  auto log = start({.replayable = true});
  auto first = log->open_cursor();
  auto second = log->open_cursor();
  loop_.run_until_idle();
  first.reset();
  loop_.run_until_idle();
  EXPECT_FALSE(script_.cancelled);
  second.reset();
  loop_.run_until_idle();
  EXPECT_TRUE(script_.cancelled);
  EXPECT_TRUE(log->finished());
}

TEST_F(ResponseLogTest, a_lingering_log_waits_for_a_reader_to_come_back) {
  auto log = start({.replayable = true, .linger = std::chrono::seconds(10)});
  auto reader = log->open_cursor();
  script_.push_text("a");
  loop_.run_until_idle();
  reader.reset();
  clock_.advance(std::chrono::seconds(9));
  loop_.run_until_idle();
  EXPECT_FALSE(script_.cancelled);
  auto back = log->open_cursor();
  clock_.advance(std::chrono::seconds(9));
  loop_.run_until_idle();
  EXPECT_FALSE(script_.cancelled);
  EXPECT_EQ(read_all(*back), "a");
  back.reset();
  clock_.advance(std::chrono::seconds(11));
  loop_.run_until_idle();
  EXPECT_TRUE(script_.cancelled);
}

TEST_F(ResponseLogTest, a_failing_source_becomes_an_error_event) {
  auto cursor = start({})->open_cursor();
  script_.push_text("a");
  script_.push_failure(ErrorKind::unavailable, "gone");
  loop_.run_until_idle();
  EXPECT_EQ(read_all(*cursor), "a!gone");
}

TEST_F(ResponseLogTest, cancelling_a_cursor_ends_its_pending_next) {
  auto cursor = start({})->open_cursor();
  loop_.run_until_idle();
  cursor->cancel();
  EXPECT_EQ(read_all(*cursor), "x");
}

TEST_F(ResponseLogTest, next_keeps_its_deadline) {
  auto cursor = start({})->open_cursor();
  const auto event = loop_.run(cursor->next(base::Deadline{clock_.now()}));
  ASSERT_FALSE(event);
  EXPECT_EQ(event.error().kind, ErrorKind::timeout);
}

}  // namespace
}  // namespace stint::serve
