#include "engine/template/text.h"

#include <gtest/gtest.h>

namespace stint::chat_template {
namespace {

Text mixed() {
  Text text;
  text.bytes = "abcdef";
  text.runs = {{2, true}, {5, false}, {6, true}};
  return text;
}

TEST(Text, slices_keep_their_runs) {
  const Text inner = slice(mixed(), 1, 3);
  EXPECT_EQ(inner.bytes, "bcd");
  ASSERT_EQ(inner.runs.size(), 2U);
  EXPECT_EQ(inner.runs[0].end, 1U);
  EXPECT_EQ(inner.runs[1].end, 3U);
  EXPECT_TRUE(inner.runs[0].trusted);
  EXPECT_FALSE(inner.runs[1].trusted);
  const Text one = slice(mixed(), 2, 3);
  EXPECT_TRUE(one.runs.empty());
  EXPECT_FALSE(one.trusted);
  EXPECT_EQ(slice(mixed(), 9, 9).size(), 0U);
}

TEST(TextBuilder, neighbouring_runs_of_one_kind_become_one) {
  TextBuilder builder;
  builder.append("a", true);
  builder.append("", false);
  builder.append("b", true);
  builder.append(mixed());
  EXPECT_EQ(builder.size(), 8U);
  EXPECT_EQ(builder.take_bytes(), "ababcdef");
  const auto runs = builder.take_runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].end, 4U);
}

TEST(Text, positions_are_characters) {
  EXPECT_EQ(character_count("aé👋"), 3U);
  EXPECT_EQ(character_count("\xff\xfe"), 2U);
  EXPECT_EQ(offset_of_character("aé👋b", 3), 7U);
  EXPECT_EQ(offset_of_character("ab", 9), 2U);
}

}  // namespace
}  // namespace stint::chat_template
