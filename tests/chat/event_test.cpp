#include "chat/event.h"

#include <gtest/gtest.h>

namespace stint::chat {
namespace {

TEST(Event, its_content_is_all_that_grows_with_an_answer) {
  EXPECT_EQ(content_size({.kind = Event::Kind::start}), 0u);
  EXPECT_EQ(content_size({.kind = Event::Kind::text_delta, .text = "four", .raw = "data: {}"}), 12u);
  EXPECT_EQ(content_size({.kind = Event::Kind::embedding, .embedding = {1, 2, 3}}), 3 * sizeof(float));
}

TEST(Event, candidates_behind_a_token_count_as_content) {
  SampledLogprob logprob;
  logprob.top.resize(20);
  EXPECT_GE(content_size({.kind = Event::Kind::text_delta, .logprobs = {logprob}}), 20 * sizeof(TokenLogprob));
}

}  // namespace
}  // namespace stint::chat
