#include "platform/json/edits.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"
#include "platform/json/document.h"
#include "platform/json/fields.h"

namespace stint::json {
namespace {

// `text` without its members named in `keys`.
std::string without(std::string_view text, std::vector<std::string_view> keys) {
  const auto document = Document::parse(text);
  Edits edits;
  for (const Member member : *document->root().object()) {
    for (const std::string_view key : keys) {
      if (member.key.equals(key)) edits.remove_member(member.span());
    }
  }
  return edits.apply(text);
}

TEST(Edits, replaces_a_value_and_nothing_else) {
  const std::string_view text = R"({ "x": 1.0e2, "model" : "a" ,"n":12345678901234567890,"s":"\u00e9\/"})";
  const auto document = Document::parse(text);
  Edits edits;
  edits.replace(Fields<"model">::read(document->root())->get<"model">().span(), R"("other")");
  EXPECT_EQ(edits.apply(text), R"({ "x": 1.0e2, "model" : "other" ,"n":12345678901234567890,"s":"\u00e9\/"})");
}

TEST(Edits, removes_members_with_their_comma) {
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"a"}), R"({"b":2,"c":3})");
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"b"}), R"({"a":1,"c":3})");
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"c"}), R"({"a":1,"b":2})");
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"b", "c"}), R"({"a":1})");
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"a", "c"}), R"({"b":2})");
  EXPECT_EQ(without(R"({"a":1,"b":2,"c":3})", {"a", "b", "c"}), "{}");
  EXPECT_EQ(without(R"({ "a" : 1 , "b" : 2 })", {"b"}), R"({ "a" : 1  })");
}

TEST(Edits, inserts_in_front) {
  Edits into_empty;
  into_empty.insert_member(0, "k", "1");
  EXPECT_EQ(into_empty.apply("{ }"), R"({"k":1 })");
  Edits into_full;
  into_full.insert_member(0, "k\"", "[1]");
  into_full.insert_member(0, "l", "2");
  EXPECT_EQ(into_full.apply(R"({"a":1})"), R"({"k\"":[1],"l":2,"a":1})");
}

TEST(Edits, an_inserted_member_survives_the_removal_of_all_others) {
  const std::string_view text = R"({"a":1,"b":2})";
  const auto document = Document::parse(text);
  Edits edits;
  for (const Member member : *document->root().object()) edits.remove_member(member.span());
  edits.insert_member(0, "k", "0");
  EXPECT_EQ(edits.apply(text), R"({"k":0})");
}

TEST(Edits, two_members_inserted_into_an_empty_object_are_joined) {
  Edits edits;
  edits.insert_member(0, "a", "1");
  edits.insert_member(0, "b", "2");
  EXPECT_EQ(edits.apply("{}"), R"({"a":1,"b":2})");
}

TEST(Edits, any_mix_leaves_valid_json_with_the_right_members) {
  base::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t count = random.below(6);
    std::string text = "{";
    for (std::uint64_t i = 0; i < count; ++i) text += fmt::format("{}\"k{}\" :[{}] ", i == 0 ? " " : ", ", i, i);
    text += "}";
    const auto document = Document::parse(text);
    ASSERT_TRUE(document) << text;
    Edits edits;
    std::string expected;
    if (random.below(3) == 0) {
      edits.insert_member(0, "in", "0");
      expected += "in=0;";
    }
    for (const Member member : *document->root().object()) {
      const std::uint64_t choice = random.below(3);
      if (choice == 0) edits.remove_member(member.span());
      if (choice == 1) edits.replace(member.value.span(), "true");
      if (choice != 0)
        expected += fmt::format("{}={};", *member.key.string(), choice == 1 ? "true" : member.value.raw());
    }
    const std::string edited = edits.apply(text);
    const auto after = Document::parse(edited);
    ASSERT_TRUE(after) << text << " -> " << edited;
    std::string seen;
    for (const Member member : *after->root().object()) {
      seen += fmt::format("{}={};", *member.key.string(), member.value.raw());
    }
    EXPECT_EQ(seen, expected) << text << " -> " << edited;
  }
}

}  // namespace
}  // namespace stint::json
