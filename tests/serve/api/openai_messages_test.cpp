#include "serve/api/openai_messages.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::Part;
using chat::Role;

Result<chat::Request> decode(std::string_view messages) {
  return decode_openai_body(Endpoint::chat_completions, fmt::format(R"({{"model":"m","messages":{}}})", messages));
}

TEST(OpenaiMessages, know_every_role) {
  const auto decoded =
      decode(R"([{"role":"developer","content":"d"},{"role":"system","content":"s"},{"role":"user","content":"u"},)"
             R"({"role":"assistant","content":"a"},{"role":"tool","tool_call_id":"c","content":"t"},)"
             R"({"role":"function","name":"f","content":"r"}])");
  ASSERT_TRUE(decoded) << decoded.error().message;
  std::vector<Role> roles;
  for (const chat::Message& message : decoded->messages) roles.push_back(message.role);
  EXPECT_EQ(roles,
            (std::vector<Role>{Role::system, Role::system, Role::user, Role::assistant, Role::tool, Role::tool}));
  EXPECT_EQ(decoded->messages[4].parts[0].kind, Part::Kind::tool_result);
  EXPECT_EQ(decoded->messages[4].parts[0].id, "c");
  EXPECT_EQ(decoded->messages[4].parts[0].text, "t");
  EXPECT_EQ(decoded->messages[5].parts[0].name, "f");
  EXPECT_FALSE(decoded->continues_assistant);
}

TEST(OpenaiMessages, an_assistant_may_have_calls_and_no_content) {
  const auto decoded =
      decode(R"([{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",)"
             R"("arguments":"{\"a\":1}"}},{"id":"c2","type":"custom","custom":{"name":"g","input":"x"}}]},)"
             R"({"role":"assistant","function_call":{"name":"h","arguments":"{"}}])");
  ASSERT_TRUE(decoded) << decoded.error().message;
  const auto& parts = decoded->messages[0].parts;
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].kind, Part::Kind::tool_use);
  EXPECT_EQ(parts[0].id, "c1");
  EXPECT_EQ(parts[0].name, "f");
  EXPECT_EQ(parts[0].text, R"({"a":1})");
  EXPECT_EQ(parts[1].kind, Part::Kind::opaque);
  EXPECT_EQ(parts[1].id, "c2");
  EXPECT_EQ(decoded->messages[1].parts[0].text, "{");
}

TEST(OpenaiMessages, content_parts) {
  const auto decoded =
      decode(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},)"
             R"({"type":"input_audio","input_audio":{}},{"type":"file","file":{}},{"type":"refusal","refusal":"no"},)"
             R"({"type":"new"}]}])");
  ASSERT_TRUE(decoded) << decoded.error().message;
  std::vector<Part::Kind> kinds;
  for (const Part& part : decoded->messages[0].parts) kinds.push_back(part.kind);
  EXPECT_EQ(kinds, (std::vector<Part::Kind>{Part::Kind::text, Part::Kind::image, Part::Kind::opaque,
                                            Part::Kind::document, Part::Kind::text, Part::Kind::opaque}));
  ASSERT_EQ(decoded->needs.size(), 3U);
  EXPECT_EQ(decoded->needs[0].path, "messages.0.content.1");
  EXPECT_EQ(decoded->needs[1].feature, chat::Feature::audio);
}

TEST(OpenaiMessages, tool_results_in_parts_are_joined) {
  const auto decoded =
      decode(R"([{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a"},{"type":"image_url"},)"
             R"({"type":"text","text":"b"}]},{"role":"tool","tool_call_id":"d","content":[]}])");
  EXPECT_EQ(decoded->messages[0].parts[0].text, "a\nb");
  EXPECT_EQ(decoded->messages[1].parts[0].text, "");
  EXPECT_EQ(decoded->needs[0].feature, chat::Feature::image);
}

TEST(OpenaiMessages, errors_name_the_path) {
  struct Case {
    std::string_view messages;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"{}", "messages: expected an array, got an object."},
           Case{"[]", "messages: at least one message is required."},
           Case{R"([{"content":"a"}])", "messages.0.role: this field is required."},
           Case{R"([{"role":"robot","content":"a"}])",
                "messages.0.role: must be one of developer, system, user, assistant, tool, function."},
           Case{R"([{"role":"user"}])", "messages.0.content: this field is required."},
           Case{R"([{"role":"user","content":null}])", "messages.0.content: this field is required."},
           Case{R"([{"role":"user","content":7}])",
                "messages.0.content: must be a string or an array of content parts."},
           Case{R"([{"role":"user","content":[{"type":"text"}]}])",
                "messages.0.content.0.text: this field is required."},
           Case{R"([{"role":"user","content":[{"text":"a"}]}])", "messages.0.content.0.type: this field is required."},
           Case{R"([{"role":"tool","content":"a"}])", "messages.0.tool_call_id: this field is required."},
           Case{R"([{"role":"function","content":"a"}])", "messages.0.name: this field is required."},
           Case{R"([{"role":"assistant","tool_calls":{}}])",
                "messages.0.tool_calls: expected an array, got an object."},
           Case{R"([{"role":"assistant","tool_calls":[{"function":{}}]}])",
                "messages.0.tool_calls.0.id: this field is required."},
           Case{R"([{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}}]}])",
                "messages.0.tool_calls.0.function.arguments: this field is required."},
           Case{R"([{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{}}}]}])",
                "messages.0.tool_calls.0.function.arguments: expected a string, got an object."},
       }) {
    const auto decoded = decode(c.messages);
    ASSERT_FALSE(decoded) << c.messages;
    EXPECT_EQ(decoded.error().message, c.message);
  }
}

TEST(OpenaiMessages, bounds_their_number) {
  std::string messages = "[";
  for (int i = 0; i <= 100'000; ++i) messages += R"({"role":"user","content":""},)";
  messages.back() = ']';
  EXPECT_EQ(decode(messages).error().message, "messages: holds more than 100000 messages.");
}

}  // namespace
}  // namespace stint::api
