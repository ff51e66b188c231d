#include "backends/local/conversation.h"

#include <gtest/gtest.h>

namespace stint::local {
namespace {

using chat::Part;
using chat::Role;

TEST(Conversation, texts_of_a_turn_are_lines_of_one_message) {
  chat::Request request;
  request.messages.push_back({.role = Role::user, .parts = {{.text = "one"}, {.text = "two"}}, .source = {}});
  const auto input = conversation(request);
  ASSERT_EQ(input.messages.size(), 1u);
  EXPECT_EQ(input.messages[0].role, "user");
  EXPECT_EQ(input.messages[0].content, "one\ntwo");
  EXPECT_TRUE(input.add_generation_prompt);
}

TEST(Conversation, tool_results_come_before_the_words_of_their_turn) {
  chat::Request request;
  request.messages.push_back(
      {.role = Role::user,
       .parts = {{.kind = Part::Kind::tool_result, .text = "42", .id = "toolu_1"}, {.text = "go on"}},
       .source = {}});
  const auto input = conversation(request);
  ASSERT_EQ(input.messages.size(), 2u);
  EXPECT_EQ(input.messages[0].role, "tool");
  EXPECT_EQ(input.messages[0].tool_call_id, "toolu_1");
  EXPECT_EQ(input.messages[1].content, "go on");
}

TEST(Conversation, tool_calls_and_thoughts_keep_their_own_places) {
  chat::Request request;
  request.messages.push_back({.role = Role::assistant,
                              .parts = {{.kind = Part::Kind::thinking, .text = "hm"},
                                        {.kind = Part::Kind::tool_use, .text = "{}", .id = "t", .name = "f"}},
                              .source = {}});
  const auto input = conversation(request);
  ASSERT_EQ(input.messages.size(), 1u);
  EXPECT_EQ(input.messages[0].reasoning, "hm");
  ASSERT_EQ(input.messages[0].tool_calls.size(), 1u);
  EXPECT_EQ(input.messages[0].tool_calls[0].name, "f");
  EXPECT_EQ(input.messages[0].content, "");
}

TEST(Conversation, the_billing_line_of_agents_is_left_out) {
  chat::Request request;
  request.messages.push_back({.role = Role::system,
                              .parts = {{.text = "x-anthropic-billing-header: cc_version=1;"}, {.text = "Be brief."}},
                              .source = {}});
  request.messages.push_back(
      {.role = Role::user, .parts = {{.text = "x-anthropic-billing-header: mine"}}, .source = {}});
  const auto input = conversation(request);
  EXPECT_EQ(input.messages[0].content, "Be brief.");
  EXPECT_EQ(input.messages[1].content, "x-anthropic-billing-header: mine");
}

TEST(Conversation, a_begun_answer_is_continued) {
  chat::Request request;
  request.messages.push_back({.role = Role::assistant, .parts = {{.text = "Once"}}, .source = {}});
  request.continues_assistant = true;
  const auto input = conversation(request);
  EXPECT_FALSE(input.add_generation_prompt);
  EXPECT_TRUE(input.continue_final_message);
}

}  // namespace
}  // namespace stint::local
