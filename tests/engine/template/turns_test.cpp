#include "engine/template/turns.h"

#include <gtest/gtest.h>

namespace stint::chat_template {
namespace {

TEST(Turns, neighbours_of_one_role_are_merged) {
  const auto merged = merge_neighbours({{.role = "user", .content = "a"},
                                        {.role = "user", .content = ""},
                                        {.role = "user", .content = "b"},
                                        {.role = "assistant", .content = "c"}});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].content, "a\n\nb");
  EXPECT_EQ(merged[1].content, "c");
}

TEST(Turns, tool_calls_and_results_are_never_merged) {
  const auto merged = merge_neighbours({{.role = "assistant", .content = "a", .tool_calls = {{"1", "f", "{}"}}},
                                        {.role = "assistant", .content = "b"},
                                        {.role = "tool", .content = "x", .tool_call_id = "1"},
                                        {.role = "tool", .content = "y", .tool_call_id = "2"}});
  EXPECT_EQ(merged.size(), 4U);
}

TEST(Turns, system_text_goes_into_the_next_user_turn) {
  const auto folded = fold_system({{.role = "system", .content = "S"},
                                   {.role = "user", .content = "a"},
                                   {.role = "assistant", .content = "b"},
                                   {.role = "system", .content = "T"}});
  ASSERT_EQ(folded.size(), 3U);
  EXPECT_EQ(folded[0].role, "user");
  EXPECT_EQ(folded[0].content, "S\n\na");
  EXPECT_EQ(folded[2].role, "user");
  EXPECT_EQ(folded[2].content, "T");
}

}  // namespace
}  // namespace stint::chat_template
