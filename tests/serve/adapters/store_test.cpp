#include "serve/adapters/store.h"

#include <gtest/gtest.h>

#include "platform/base/limits.h"
#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class StoreTest : public ServeFixture {};

TEST_F(StoreTest, a_reader_that_stalls_pauses_the_producer) {
  ask("/v1/messages", kAnthropicStreamBody);
  Exchange& exchange = open_dispatched();
  ASSERT_TRUE(run(Store(with_), exchange));
  const std::size_t event_size = 64 * base::kKiB;
  for (int i = 0; i < 16; ++i) script().push_text(std::string(event_size, 'x'));
  fake_.settle();
  EXPECT_EQ(script().taken_count, base::kAnswerWindowSize / event_size);
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(fake_.run(exchange.stream->next(base::Deadline::never())));
  EXPECT_EQ(script().taken_count, 16u);
  exchange.stream.reset();
}

TEST_F(StoreTest, a_reader_that_leaves_stops_the_producer) {
  ask("/v1/messages", kAnthropicStreamBody);
  Exchange& exchange = open_dispatched();
  ASSERT_TRUE(run(Store(with_), exchange));
  exchange.stream.reset();
  fake_.settle();
  EXPECT_TRUE(script().cancelled);
}

TEST_F(StoreTest, without_a_stream_there_is_nothing_to_keep) {
  ask("/v1/messages/count_tokens", kAnthropicBody);
  Exchange& exchange = open();
  exchange.token_count = 3;
  ASSERT_TRUE(run(Store(with_), exchange));
  EXPECT_EQ(exchange.stream, nullptr);
}

}  // namespace
}  // namespace stint::serve
