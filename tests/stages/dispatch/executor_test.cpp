#include "stages/dispatch/executor.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/scripted_backend.h"

namespace stint::dispatch {
namespace {

class ExecutorTest : public ::testing::Test {
 protected:
  Result<Started> execute() {
    return loop_.run(executor_.execute(plan_, backends::Call{.request = &request_}, base::Deadline::never()));
  }

  fakes::FakeClock clock_;
  net::MemoryPoller poller_;
  chat::Request request_;
  fakes::ScriptedBackend first_{"first"};
  fakes::ScriptedBackend second_{"second"};
  Executor executor_{{{"first", &first_}, {"second", &second_}}};
  plan::Plan plan_{{{.backend = "first", .model = "a"}, {.backend = "second", .model = "b"}}};
  net::Loop loop_{clock_, poller_};
};

TEST_F(ExecutorTest, the_first_attempt_that_opens_is_the_answer) {
  const auto started = execute();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->backend, "first");
  EXPECT_EQ(started->attempt_count, 1u);
  EXPECT_TRUE(second_.started_models.empty());
}

TEST_F(ExecutorTest, a_failing_backend_hands_over_to_the_next) {
  first_.refusals.push_back({.kind = ErrorKind::unavailable, .message = "loading"});
  const auto started = execute();
  ASSERT_TRUE(started);
  EXPECT_EQ(started->backend, "second");
  EXPECT_EQ(started->model, "b");
  EXPECT_EQ(started->attempt_count, 2u);
}

TEST_F(ExecutorTest, a_wrong_request_is_not_tried_elsewhere) {
  first_.refusals.push_back({.kind = ErrorKind::invalid_request, .message = "bad"});
  const auto started = execute();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "bad");
  EXPECT_TRUE(second_.started_models.empty());
}

TEST_F(ExecutorTest, when_all_fail_the_last_error_is_told) {
  first_.refusals.push_back({.kind = ErrorKind::unavailable, .message = "loading"});
  second_.refusals.push_back({.kind = ErrorKind::overloaded, .message = "full"});
  const auto started = execute();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "full");
}

TEST_F(ExecutorTest, tokens_are_counted_by_the_first_choice) {
  first_.token_count = 42;
  const auto count =
      loop_.run(executor_.count_tokens(plan_, backends::Call{.request = &request_}, base::Deadline::never()));
  ASSERT_TRUE(count);
  EXPECT_EQ(*count, 42u);
}

}  // namespace
}  // namespace stint::dispatch
