#include "platform/json/fields.h"

#include <gtest/gtest.h>

#include "platform/json/document.h"

namespace stint::json {
namespace {

using Known = Fields<"model", "stream">;

Result<Known> read(std::string_view text, Document& document) {
  document = *Document::parse(text);
  return Known::read(document.root());
}

class FieldsTest : public ::testing::Test {
 protected:
  Document document_ = *Document::parse("0");
};

TEST_F(FieldsTest, finds_known_members_in_any_order) {
  const auto fields = read(R"({"x":{"model":1},"stream":true,"model":"m"})", document_);
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->get<"model">().raw(), R"("m")");
  EXPECT_EQ(fields->get<"stream">().raw(), "true");
  EXPECT_EQ(fields->member_span<"stream">(), (Span{17, 30}));
}

TEST_F(FieldsTest, absent_members_are_absent_values) {
  const auto fields = read(R"({"stream":null})", document_);
  ASSERT_TRUE(fields);
  EXPECT_FALSE(fields->get<"model">().exists());
  EXPECT_TRUE(fields->get<"stream">().exists());
  EXPECT_FALSE(fields->get<"stream">().given());
  EXPECT_EQ(fields->require<"model">().error().message, "model: this field is required.");
  EXPECT_EQ(fields->require<"model">().error().param, "model");
}

TEST_F(FieldsTest, refuses_repeated_known_keys) {
  EXPECT_EQ(read(R"({"model":"a","model":"b"})", document_).error().message,
            "model: this key occurs twice; send it once.");
  EXPECT_EQ(read(R"({"model":"a","m\u006fdel":"b"})", document_).error().message,
            "model: this key occurs twice; send it once.");
}

TEST_F(FieldsTest, refuses_escaped_spellings_of_known_keys) {
  EXPECT_EQ(read(R"({"m\u006fdel":"b"})", document_).error().message,
            "model: this key is spelled with escapes; send it plainly.");
}

TEST_F(FieldsTest, leaves_unknown_keys_alone) {
  EXPECT_TRUE(read(R"({"a":1,"a":2,"\u0061":3})", document_));
}

TEST_F(FieldsTest, refuses_what_is_no_object) {
  EXPECT_EQ(read("[1]", document_).error().message, "body: expected an object, got an array.");
}

}  // namespace
}  // namespace stint::json
