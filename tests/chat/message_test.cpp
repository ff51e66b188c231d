#include "chat/message.h"

#include <gtest/gtest.h>

namespace stint::chat {
namespace {

TEST(Role, names_are_those_of_chat_templates) {
  EXPECT_EQ(to_string(Role::system), "system");
  EXPECT_EQ(to_string(Role::user), "user");
  EXPECT_EQ(to_string(Role::assistant), "assistant");
  EXPECT_EQ(to_string(Role::tool), "tool");
}

}  // namespace
}  // namespace stint::chat
