#include "cli/chat_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::cli {
namespace {

constexpr std::string_view kTemplate = "{% for m in messages %}{{ m['role'][0] }}{{ m['content'] }}.{% endfor %}";

// One token a byte, and every turn costs two more.
class ChatHistoryTest : public testing::Test {
 protected:
  Result<std::string> prompt(ChatHistory& history, std::uint32_t answer_tokens) {
    const auto tokens = history.prompt(*tokenizer_, template_, answer_tokens);
    if (!tokens) return std::unexpected(tokens.error());
    return tokenizer_->decode(*tokens);
  }

  const std::unique_ptr<const tokenizer::Tokenizer> tokenizer_ =
      tokenizer::Tokenizer::build(tokenizer::byte_vocabulary({})).value();
  const chat_template::ChatTemplate template_ = chat_template::ChatTemplate::parse(kTemplate).value();
};

TEST_F(ChatHistoryTest, the_prompt_holds_the_system_text_and_every_turn) {
  ChatHistory history("be brief", 100);
  history.add_user("one");
  history.add_assistant("two");
  history.add_user("three");
  EXPECT_EQ(prompt(history, 10), "sbe brief.uone.atwo.uthree.");
}

TEST_F(ChatHistoryTest, the_oldest_exchange_leaves_first_and_the_system_text_stays) {
  ChatHistory history("sys", 20);
  history.add_user("one");
  history.add_assistant("two");
  history.add_user("three");
  EXPECT_EQ(prompt(history, 5), "ssys.uthree.");
  EXPECT_EQ(history.turn_count(), 1u);
}

TEST_F(ChatHistoryTest, nothing_leaves_while_all_of_it_fits) {
  ChatHistory history("", 19);
  history.add_user("one");
  history.add_assistant("two");
  history.add_user("three");
  EXPECT_EQ(prompt(history, 2), "uone.atwo.uthree.");
  EXPECT_EQ(history.turn_count(), 3u);
}

TEST_F(ChatHistoryTest, a_message_that_alone_is_too_long_is_refused_and_forgotten) {
  ChatHistory history("", 10);
  history.add_user("much too long");
  const auto refused = prompt(history, 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid_request);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("15 tokens"));
  history.add_user("hi");
  EXPECT_EQ(prompt(history, 5), "uhi.");
}

TEST_F(ChatHistoryTest, starting_over_keeps_the_system_text_alone) {
  ChatHistory history("sys", 100);
  history.add_user("one");
  history.clear();
  history.add_user("two");
  EXPECT_EQ(prompt(history, 5), "ssys.utwo.");
}

}  // namespace
}  // namespace stint::cli
