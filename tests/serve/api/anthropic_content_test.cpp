#include "serve/api/anthropic_content.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::Part;
using chat::Role;

Result<chat::Request> decode(std::string_view messages, std::string_view system = "null") {
  return decode_messages(fmt::format(R"({{"model":"m","max_tokens":5,"system":{},"messages":{}}})", system, messages));
}

// The only part of the only message; its views end with the request.
Part only_part(const Result<chat::Request>& decoded) {
  EXPECT_TRUE(decoded) << (decoded ? "" : decoded.error().message);
  return decoded->messages.at(0).parts.at(0);
}

std::string block(std::string_view block) {
  return fmt::format(R"([{{"role":"user","content":[{}]}}])", block);
}

TEST(AnthropicContent, plain_strings_are_views_into_the_body) {
  const auto decoded = decode(R"([{"role":"user","content":"plain"}])");
  const Part part = only_part(decoded);
  EXPECT_EQ(part.text.data(), decoded->body->data() + decoded->body->find("plain"));
  EXPECT_TRUE(part.source.empty());
}

TEST(AnthropicContent, escapes_are_undone_outside_the_body) {
  EXPECT_EQ(only_part(decode(R"([{"role":"user","content":"a\n\ud83d\ude42"}])")).text, "a\n\xF0\x9F\x99\x82");
}

TEST(AnthropicContent, blocks_keep_their_place_in_the_body) {
  const auto decoded =
      decode(R"([{"role":"user","content":[ {"type":"text","text":"a"} , {"type":"text","text":"b"}]}])");
  ASSERT_EQ(decoded->messages[0].parts.size(), 2U);
  const Part& second = decoded->messages[0].parts[1];
  EXPECT_EQ(decoded->body->substr(second.source.begin, second.source.size()), R"({"type":"text","text":"b"})");
  EXPECT_EQ(decoded->body->at(decoded->messages[0].source.begin), '{');
}

TEST(AnthropicContent, equal_roles_in_a_row_stay_apart) {
  const auto decoded = decode(R"([{"role":"user","content":"a"},{"role":"user","content":"b"}])");
  EXPECT_EQ(decoded->messages.size(), 2U);
}

TEST(AnthropicContent, the_last_assistant_message_is_to_be_continued) {
  EXPECT_TRUE(decode(R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])")->continues_assistant);
  EXPECT_FALSE(decode(R"([{"role":"assistant","content":"b"},{"role":"user","content":"a"}])")->continues_assistant);
}

TEST(AnthropicContent, tool_use_keeps_its_input_as_json) {
  const auto part_request = decode(block(R"({"type":"tool_use","id":"toolu_1","name":"f","input":{"a": 1.0}})"));
  const Part part = only_part(part_request);
  EXPECT_EQ(part.kind, Part::Kind::tool_use);
  EXPECT_EQ(part.id, "toolu_1");
  EXPECT_EQ(part.name, "f");
  EXPECT_EQ(part.text, R"({"a": 1.0})");
}

TEST(AnthropicContent, tool_results_are_their_text) {
  const auto plain_request =
      decode(block(R"({"type":"tool_result","tool_use_id":"t","content":"42","is_error":true})"));
  const Part plain = only_part(plain_request);
  EXPECT_EQ(plain.kind, Part::Kind::tool_result);
  EXPECT_EQ(plain.id, "t");
  EXPECT_EQ(plain.text, "42");
  EXPECT_TRUE(plain.is_error);
  EXPECT_EQ(only_part(decode(block(R"({"type":"tool_result","tool_use_id":"t"})"))).text, "");
  const auto blocks = decode(block(R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},)"
                                   R"({"type":"image","source":{}},{"type":"text","text":"b"}]})"));
  EXPECT_EQ(only_part(blocks).text, "a\nb");
  ASSERT_EQ(blocks->needs.size(), 1U);
  EXPECT_EQ(blocks->needs[0].path, "messages.0.content.0.content.1");
}

TEST(AnthropicContent, search_results_are_their_text) {
  const auto decoded =
      decode(block(R"({"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"found"}]})"));
  const Part part = only_part(decoded);
  EXPECT_EQ(part.kind, Part::Kind::text);
  EXPECT_EQ(part.text, "found");
}

TEST(AnthropicContent, images_and_documents_are_kept_and_noted_once_a_kind) {
  const auto decoded = decode(block(
      R"({"type":"text","text":"x"},{"type":"image","source":{}},{"type":"image","source":{}},{"type":"document"})"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->messages[0].parts[1].kind, Part::Kind::image);
  EXPECT_EQ(decoded->messages[0].parts[3].kind, Part::Kind::document);
  ASSERT_EQ(decoded->needs.size(), 2U);
  EXPECT_EQ(decoded->needs[0].path, "messages.0.content.1");
  EXPECT_EQ(decoded->needs[1].feature, chat::Feature::document);
}

TEST(AnthropicContent, thinking_is_text_and_unknown_blocks_are_opaque) {
  const auto thinking_request = decode(block(R"({"type":"thinking","thinking":"hm","signature":"s"})"));
  const Part thinking = only_part(thinking_request);
  EXPECT_EQ(thinking.kind, Part::Kind::thinking);
  EXPECT_EQ(thinking.text, "hm");
  EXPECT_EQ(only_part(decode(block(R"({"type":"redacted_thinking","data":"x"})"))).kind, Part::Kind::opaque);
  EXPECT_EQ(only_part(decode(block(R"({"type":"from_the_future","text":7})"))).kind, Part::Kind::opaque);
}

TEST(AnthropicContent, the_system_prompt_comes_first) {
  const auto decoded = decode(R"([{"role":"user","content":"a"},{"role":"system","content":"late"}])",
                              R"([{"type":"text","text":"one"},{"type":"text","text":"two"}])");
  ASSERT_EQ(decoded->messages.size(), 3U);
  EXPECT_EQ(decoded->messages[0].role, Role::system);
  EXPECT_EQ(decoded->messages[0].parts[1].text, "two");
  EXPECT_EQ(decoded->messages[2].role, Role::system);
}

TEST(AnthropicContent, errors_name_the_path) {
  struct Case {
    std::string messages;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"[7]", "messages.0: expected an object, got a number."},
           Case{R"([{"content":"a"}])", "messages.0.role: this field is required."},
           Case{R"([{"role":"robot","content":"a"}])", "messages.0.role: must be one of user, assistant, system."},
           Case{R"([{"role":"user"}])", "messages.0.content: this field is required."},
           Case{R"([{"role":"user","content":null}])",
                "messages.0.content: must be a string or an array of content blocks."},
           Case{block("7"), "messages.0.content.0: expected an object, got a number."},
           Case{block("{}"), "messages.0.content.0.type: this field is required."},
           Case{block(R"({"type":"text"})"), "messages.0.content.0.text: this field is required."},
           Case{block(R"({"type":"text","text":1})"), "messages.0.content.0.text: expected a string, got a number."},
           Case{block(R"({"type":"text","text":"a","text":"b"})"),
                "messages.0.content.0.text: this key occurs twice; send it once."},
           Case{block(R"({"type":"tool_use","name":"f","input":{}})"),
                "messages.0.content.0.id: this field is required."},
           Case{block(R"({"type":"tool_use","id":"i","name":"f"})"),
                "messages.0.content.0.input: this field is required."},
           Case{block(R"({"type":"tool_use","id":"i","name":"f","input":"{}"})"),
                "messages.0.content.0.input: expected an object, got a string."},
           Case{block(R"({"type":"tool_result"})"), "messages.0.content.0.tool_use_id: this field is required."},
           Case{block(R"({"type":"tool_result","tool_use_id":"t","content":7})"),
                "messages.0.content.0.content: must be a string or an array of content blocks."},
           Case{block(R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"text"}]})"),
                "messages.0.content.0.content.0.text: this field is required."},
       }) {
    const auto decoded = decode(c.messages);
    ASSERT_FALSE(decoded) << c.messages;
    EXPECT_EQ(decoded.error().message, c.message) << c.messages;
  }
  EXPECT_EQ(decode("[]", "7").error().message, "system: must be a string or an array of content blocks.");
}

TEST(AnthropicContent, bounds_the_number_of_messages) {
  std::string messages = "[";
  for (int i = 0; i <= 100'000; ++i) messages += R"({"role":"user","content":""},)";
  messages.back() = ']';
  EXPECT_EQ(decode(messages).error().message, "messages: holds more than 100000 messages.");
}

}  // namespace
}  // namespace stint::api
