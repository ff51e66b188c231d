#include "platform/json/value.h"

#include <gtest/gtest.h>

#include <deque>

#include "platform/json/document.h"
#include "platform/json/fields.h"

namespace stint::json {
namespace {

struct Arena {
  std::deque<std::string> texts;
  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

// The only child of the array `text`.
class ValueTest : public ::testing::Test {
 protected:
  Value only(std::string text) {
    texts_.push_back(std::move(text));
    documents_.push_back(*Document::parse(texts_.back()));
    return *(*documents_.back().root().array()).begin();
  }

  std::deque<std::string> texts_;
  std::deque<Document> documents_;
};

TEST_F(ValueTest, reads_integers_exactly) {
  EXPECT_EQ(*only("[18446744073709551615]").integer(), 18446744073709551615U);
  EXPECT_EQ(*only("[9007199254740993]").integer(), 9007199254740993U);
  EXPECT_EQ(*only("[1.0]").integer(), 1U);
  EXPECT_EQ(*only("[1e2]").integer(), 100U);
}

TEST_F(ValueTest, refuses_what_is_no_integer_in_range) {
  EXPECT_FALSE(only("[18446744073709551616]").integer());
  EXPECT_FALSE(only("[-1]").integer());
  EXPECT_FALSE(only("[1.5]").integer());
  EXPECT_FALSE(only("[1e30]").integer());
  EXPECT_FALSE(only("[\"1\"]").integer());
  EXPECT_EQ(only("[21]").integer(0, 20).error().message, "0: must be an integer from 0 to 20.");
}

TEST_F(ValueTest, reads_signed_integers) {
  EXPECT_EQ(*only("[-9223372036854775808]").signed_integer(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(*only("[9223372036854775807]").signed_integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(only("[-1.5]").signed_integer().error().message, "0: must be an integer of 64 bits.");
  EXPECT_FALSE(only("[9223372036854775808]").signed_integer());
  EXPECT_FALSE(only("[\"-1\"]").signed_integer());
}

TEST_F(ValueTest, reads_numbers_within_bounds) {
  EXPECT_EQ(*only("[0.1]").number(), 0.1);
  EXPECT_EQ(*only("[-2]").number(-2, 2), -2.0);
  EXPECT_EQ(*only("[1e-400]").number(), 0.0);
  EXPECT_FALSE(only("[1e400]").number());
  EXPECT_EQ(only("[2.5]").number(0, 2).error().message, "0: must be a number from 0 to 2.");
}

TEST_F(ValueTest, gives_plain_strings_as_views_and_keeps_escaped_ones) {
  Arena arena;
  const Value plain = only("[\"caf\xC3\xA9\"]");
  EXPECT_EQ(plain.string(arena)->data(), plain.raw().data() + 1);
  EXPECT_TRUE(arena.texts.empty());
  EXPECT_EQ(*only(R"(["caf\u00e9"])").string(arena), "caf\xC3\xA9");
  EXPECT_EQ(arena.texts.size(), 1U);
}

TEST_F(ValueTest, compares_strings_by_their_characters) {
  EXPECT_TRUE(only(R"(["model"])").equals("model"));
  EXPECT_TRUE(only(R"(["m\u006fdel"])").equals("model"));
  EXPECT_FALSE(only(R"(["modeL"])").equals("model"));
  EXPECT_FALSE(only("[1]").equals("1"));
}

TEST_F(ValueTest, mismatches_name_both_kinds) {
  Arena arena;
  EXPECT_EQ(only("[1]").string(arena).error().message, "0: expected a string, got a number.");
  EXPECT_EQ(only("[{}]").array().error().message, "0: expected an array, got an object.");
  EXPECT_EQ(only("[[]]").object().error().message, "0: expected an object, got an array.");
  EXPECT_EQ(only("[null]").boolean().error().message, "0: expected a boolean, got null.");
  EXPECT_EQ(Value().boolean().error().message, "expected a boolean, got nothing.");
}

TEST(Value, knows_its_path_anywhere) {
  const auto document =
      Document::parse(R"({"x":{"y":[1,{}]},"messages":[{},{"role":"u","content":[{"t":0},{"type":7}]}]})");
  ASSERT_TRUE(document);
  const auto messages = Fields<"messages">::read(document->root())->get<"messages">();
  EXPECT_EQ(messages.path(), "messages");
  const Value second = *++messages.array()->begin();
  const auto fields = Fields<"content", "role">::read(second);
  EXPECT_EQ(fields->get<"role">().path(), "messages.1.role");
  const Value block = *++fields->get<"content">().array()->begin();
  EXPECT_EQ(block.path(), "messages.1.content.1");
  const Error error = Fields<"type">::read(block)->get<"type">().string().error();
  EXPECT_EQ(error.message, "messages.1.content.1.type: expected a string, got a number.");
  EXPECT_EQ(error.param, "messages.1.content.1.type");
  EXPECT_EQ(document->root().path(), "");
  EXPECT_EQ(document->root().array().error().message, "body: expected an array, got an object.");
}

TEST(Value, cuts_long_keys_in_paths_between_characters) {
  const std::string text = "{\"" + std::string(63, 'k') + "\xC3\xA9" + std::string(1000, 'x') + "\":1}";
  const auto document = Document::parse(text);
  ASSERT_TRUE(document);
  const Member member = *document->root().object()->begin();
  EXPECT_EQ(member.value.path(), std::string(63, 'k') + "...");
}

TEST(Value, iterates_arrays_and_counts) {
  const auto document = Document::parse(R"([1,[2,[3]],{"a":4},5])");
  ASSERT_TRUE(document);
  const auto elements = document->root().array();
  EXPECT_EQ(elements->count(), 4U);
  std::vector<std::string_view> seen;
  for (const Value value : *elements) seen.push_back(value.raw());
  EXPECT_EQ(seen, (std::vector<std::string_view>{"1", "[2,[3]]", R"({"a":4})", "5"}));
  EXPECT_FALSE(elements->empty());
  EXPECT_TRUE(Document::parse("[]")->root().array()->empty());
}

}  // namespace
}  // namespace stint::json
