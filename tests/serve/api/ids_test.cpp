#include "serve/api/ids.h"

#include <gtest/gtest.h>

namespace stint::api {
namespace {

using chat::CallKind;
using chat::DialectId;

TEST(Ids, carry_the_prefix_clients_know) {
  base::Random random(1);
  EXPECT_TRUE(answer_id(DialectId::anthropic, CallKind::chat, random).starts_with("msg_"));
  EXPECT_TRUE(answer_id(DialectId::openai, CallKind::chat, random).starts_with("chatcmpl-"));
  EXPECT_TRUE(answer_id(DialectId::openai, CallKind::complete, random).starts_with("cmpl-"));
  const std::string id = request_id(random);
  EXPECT_TRUE(id.starts_with("req_"));
  EXPECT_EQ(id.size(), 28U);
}

TEST(Ids, repeat_with_the_seed_and_differ_within_it) {
  base::Random one(7);
  base::Random two(7);
  const std::string first = request_id(one);
  EXPECT_EQ(first, request_id(two));
  EXPECT_NE(first, request_id(one));
}

}  // namespace
}  // namespace stint::api
