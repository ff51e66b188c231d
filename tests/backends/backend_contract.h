// What callers of any Backend rely on, as tests over a Subject: its backend(), the request() it shall answer, and
// run(task), which runs a task on its loop to the end. An answer of a subject has content and needs no help to finish.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "backends/backend.h"

namespace stint::backends {

template <typename Subject>
class BackendContract : public testing::Test {
 protected:
  using Stream = std::unique_ptr<EventStream>;

  Stream open() {
    Result<Stream> stream = subject_.run(subject_.backend().start(call_, base::Deadline::never()));
    STINT_ASSERT(stream.has_value());
    return std::move(*stream);
  }
  Result<chat::Event> next(EventStream& stream, base::Deadline deadline = base::Deadline::never()) {
    return subject_.run(stream.next(deadline));
  }
  static net::Task<Result<chat::Event>> next_while_cancelled(EventStream& stream) {
    net::TaskGroup group(co_await net::current_scope());
    group.spawn(cancel_later(stream));
    while (true) {
      Result<chat::Event> event = co_await stream.next(base::Deadline::never());
      if (event && event->kind != chat::Event::Kind::finish) continue;
      co_await group.join();
      co_return event;
    }
  }
  static net::Task<void> cancel_later(EventStream& stream) {
    co_await net::yield();
    stream.cancel();
  }

  Subject subject_;
  Call call_{.request = &subject_.request(), .model = "tiny"};
};

TYPED_TEST_SUITE_P(BackendContract);

TYPED_TEST_P(BackendContract, an_answer_is_a_start_then_content_then_one_finish) {
  const auto stream = this->open();
  std::vector<chat::Event> events;
  while (events.empty() || events.back().kind != chat::Event::Kind::finish) {
    Result<chat::Event> event = this->next(*stream);
    ASSERT_TRUE(event) << event.error().message;
    events.push_back(std::move(*event));
  }
  ASSERT_GE(events.size(), 3u);
  EXPECT_EQ(events.front().kind, chat::Event::Kind::start);
  for (std::size_t i = 1; i + 1 < events.size(); ++i) EXPECT_EQ(events[i].kind, chat::Event::Kind::text_delta);
  EXPECT_GT(events.back().usage.output_tokens, 0u);
}

TYPED_TEST_P(BackendContract, counted_tokens_are_those_of_the_answers_usage) {
  const Result<std::uint64_t> count =
      this->subject_.run(this->subject_.backend().count_tokens(this->call_, base::Deadline::never()));
  ASSERT_TRUE(count);
  const auto stream = this->open();
  Result<chat::Event> event = this->next(*stream);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->usage.total_input_tokens(), *count);
  while (event && event->kind != chat::Event::Kind::finish) event = this->next(*stream);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->usage.total_input_tokens(), *count);
}

TYPED_TEST_P(BackendContract, a_deadline_that_passed_leaves_the_stream_usable) {
  const auto stream = this->open();
  while (true) {
    const Result<chat::Event> event = this->next(*stream, base::Deadline{base::TimePoint()});
    if (event && event->kind == chat::Event::Kind::finish) break;
    if (event) continue;
    ASSERT_EQ(event.error().kind, ErrorKind::timeout);
    if (this->next(*stream).value().kind == chat::Event::Kind::finish) break;
  }
}

TYPED_TEST_P(BackendContract, cancelling_ends_the_answer_and_may_be_done_twice) {
  const auto stream = this->open();
  ASSERT_TRUE(this->next(*stream));
  stream->cancel();
  stream->cancel();
  const Result<chat::Event> event = this->next(*stream);
  ASSERT_FALSE(event);
  EXPECT_EQ(event.error().kind, ErrorKind::cancelled);
}

TYPED_TEST_P(BackendContract, cancelling_ends_a_next_under_way) {
  const auto stream = this->open();
  const Result<chat::Event> event = this->subject_.run(this->next_while_cancelled(*stream));
  if (!event) EXPECT_EQ(event.error().kind, ErrorKind::cancelled);
}

TYPED_TEST_P(BackendContract, an_answer_may_be_dropped_at_any_point) {
  for (int count = 0; count < 3; ++count) {
    const auto stream = this->open();
    for (int i = 0; i < count; ++i) ASSERT_TRUE(this->next(*stream));
  }
}

REGISTER_TYPED_TEST_SUITE_P(BackendContract, an_answer_is_a_start_then_content_then_one_finish,
                            counted_tokens_are_those_of_the_answers_usage,
                            a_deadline_that_passed_leaves_the_stream_usable,
                            cancelling_ends_the_answer_and_may_be_done_twice, cancelling_ends_a_next_under_way,
                            an_answer_may_be_dropped_at_any_point);

}  // namespace stint::backends
