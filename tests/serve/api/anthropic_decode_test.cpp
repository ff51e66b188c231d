#include "serve/api/anthropic_decode.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::Feature;
using chat::Role;

// A body around the fields in question.
std::string body_with(std::string_view fields) {
  return fmt::format(R"({{"model":"m","max_tokens":5,"messages":[{{"role":"user","content":"hi"}}]{}{}}})",
                     fields.empty() ? "" : ",", fields);
}

std::string error_of(std::string_view body) {
  const auto decoded = decode_messages(body);
  return decoded ? "" : decoded.error().message;
}

TEST(AnthropicDecode, reads_the_fields_of_a_plain_request) {
  const auto decoded =
      decode_messages(R"({"model":"claude-x","max_tokens":1024,"stream":true,"temperature":0.5,"top_p":0.9,"top_k":40,)"
                      R"("stop_sequences":["END","\n\n"],"metadata":{"user_id":"u\u00e9"},"tools":[{"name":"f"}],)"
                      R"("system":"Be brief.","messages":[{"role":"user","content":"hi"}]})");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, chat::CallKind::chat);
  EXPECT_EQ(decoded->dialect, chat::DialectId::anthropic);
  EXPECT_EQ(decoded->model, "claude-x");
  EXPECT_EQ(decoded->body->substr(decoded->model_span.begin, decoded->model_span.size()), R"("claude-x")");
  EXPECT_EQ(decoded->max_output_tokens, 1024U);
  EXPECT_TRUE(decoded->stream);
  EXPECT_EQ(decoded->sampling.temperature, 0.5F);
  EXPECT_EQ(decoded->sampling.top_p, 0.9F);
  EXPECT_EQ(decoded->sampling.top_k, 40U);
  EXPECT_EQ(decoded->stop_strings, (std::vector<std::string_view>{"END", "\n\n"}));
  EXPECT_EQ(decoded->end_user, "u\xC3\xA9");
  EXPECT_EQ(decoded->body->substr(decoded->tools_span.begin, decoded->tools_span.size()), R"([{"name":"f"}])");
  ASSERT_EQ(decoded->messages.size(), 2U);
  EXPECT_EQ(decoded->messages[0].role, Role::system);
  EXPECT_EQ(decoded->messages[0].parts[0].text, "Be brief.");
  EXPECT_TRUE(decoded->needs.empty());
  EXPECT_TRUE(decoded->own_field_spans.empty());
}

TEST(AnthropicDecode, needs_a_known_version_header) {
  const auto with = [](net::Headers headers) {
    return dialect(chat::DialectId::anthropic)
        .decode(Endpoint::messages, http_request(body_with(""), std::move(headers)));
  };
  EXPECT_TRUE(with({{"anthropic-version", "2023-06-01"}}));
  EXPECT_TRUE(with({{"anthropic-version", "2026-10-21"}}));
  EXPECT_EQ(with({}).error().message, "anthropic-version: this header is required; send 2023-06-01 or 2026-10-21.");
  EXPECT_EQ(with({{"anthropic-version", "2020-01-01"}}).error().message,
            "anthropic-version: must be 2023-06-01 or 2026-10-21.");
}

TEST(AnthropicDecode, errors_name_the_field) {
  struct Case {
    std::string body;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"[]", "body: expected an object, got an array."},
           Case{"{", "The JSON text is not valid: expected a key in double quotes, but the text ends."},
           Case{R"({"max_tokens":1,"messages":[]})", "model: this field is required."},
           Case{R"({"model":7,"max_tokens":1})", "model: expected a string, got a number."},
           Case{R"({"model":"","max_tokens":1})", "model: must be a model's name of 1 to 256 bytes."},
           Case{R"({"model":"m","messages":[]})", "max_tokens: this field is required."},
           Case{R"({"model":"m","max_tokens":1})", "messages: this field is required."},
           Case{R"({"model":"m","max_tokens":1,"messages":[]})", "messages: at least one message is required."},
           Case{R"({"model":"m","max_tokens":1,"messages":{}})", "messages: expected an array, got an object."},
           Case{R"({"model":"m","max_tokens":-1,"messages":[]})",
                "max_tokens: must be an integer from 0 to 4294967295."},
           Case{R"({"model":"m","max_tokens":"9","messages":[]})", "max_tokens: expected an integer, got a string."},
           Case{R"({"model":"m","model":"n"})", "model: this key occurs twice; send it once."},
           Case{R"({"m\u006fdel":"n"})", "model: this key is spelled with escapes; send it plainly."},
           Case{body_with(R"("temperature":1.5)"), "temperature: must be a number from 0 to 1."},
           Case{body_with(R"("top_p":-0.1)"), "top_p: must be a number from 0 to 1."},
           Case{body_with(R"("top_k":0.5)"), "top_k: must be an integer from 0 to 4294967295."},
           Case{body_with(R"("stream":"yes")"), "stream: expected a boolean, got a string."},
           Case{body_with(R"("stop_sequences":"END")"), "stop_sequences: expected an array, got a string."},
           Case{body_with(R"("stop_sequences":["a",""])"), "stop_sequences.1: must be a string of 1 to 1024 bytes."},
           Case{body_with(R"("tools":{})"), "tools: expected an array, got an object."},
           Case{body_with(R"("metadata":{"user_id":1})"), "metadata.user_id: expected a string, got a number."},
           Case{body_with(R"("metadata":"x")"), "metadata: expected an object, got a string."},
           Case{body_with(R"("output_config":[])"), "output_config: expected an object, got an array."},
           Case{body_with(R"("cache":"always")"), "cache: must be one of off, refresh, exact, near."},
           Case{body_with(R"("urgent":1)"), "urgent: expected a boolean, got a number."},
       }) {
    EXPECT_EQ(error_of(c.body), c.message) << c.body;
  }
}

TEST(AnthropicDecode, a_prewarm_asks_for_nothing_that_makes_output) {
  const auto prewarm = [](std::string_view fields) {
    return error_of(
        fmt::format(R"({{"model":"m","max_tokens":0,"messages":[{{"role":"user","content":"hi"}}]{}}})", fields));
  };
  EXPECT_EQ(prewarm(""), "");
  EXPECT_EQ(prewarm(R"(,"thinking":{"type":"adaptive"},"tool_choice":{"type":"auto"})"), "");
  EXPECT_TRUE(prewarm(R"(,"stream":true)").starts_with("max_tokens: 0 cannot be combined with stream"));
  EXPECT_TRUE(
      prewarm(R"(,"thinking":{"type":"enabled"})").starts_with("max_tokens: 0 cannot be combined with thinking"));
  EXPECT_TRUE(
      prewarm(R"(,"tool_choice":{"type":"any"})").starts_with("max_tokens: 0 cannot be combined with a tool_ch"));
  EXPECT_TRUE(prewarm(R"(,"output_config":{"format":{"type":"json_schema"}})").contains("output_config.format"));
}

TEST(AnthropicDecode, notes_what_a_backend_must_be_able_to_do) {
  const auto needs = [](std::string_view fields) {
    const auto decoded = decode_messages(body_with(fields));
    std::string text;
    for (const chat::Need& need : decoded->needs) {
      text += fmt::format("{}={};", static_cast<int>(need.feature), need.path);
    }
    return text;
  };
  const auto one = [](Feature feature, std::string_view path) {
    return fmt::format("{}={};", static_cast<int>(feature), path);
  };
  EXPECT_EQ(needs(R"("thread":{"type":"create"})"), one(Feature::thread, "thread"));
  EXPECT_EQ(needs(R"("thread":null)"), "");
  EXPECT_EQ(needs(R"("output_config":{"format":{"type":"json_schema","schema":{}}})"),
            one(Feature::json_schema, "output_config.format"));
  EXPECT_EQ(needs(R"("output_format":{"type":"json_schema"})"), one(Feature::json_schema, "output_format"));
  EXPECT_EQ(needs(R"("output_config":{"effort":"high","format":null})"), "");
}

TEST(AnthropicDecode, counting_tokens_needs_no_max_tokens) {
  const auto decoded =
      dialect(chat::DialectId::anthropic)
          .decode(Endpoint::count_tokens, http_request(R"({"model":"m","messages":[{"role":"user","content":"hi"}]})",
                                                       {{"anthropic-version", "2026-10-21"}}));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, chat::CallKind::count_tokens);
  EXPECT_FALSE(decoded->max_output_tokens);
}

TEST(AnthropicDecode, ignores_what_it_does_not_know) {
  EXPECT_EQ(error_of(body_with(R"("new_field":{"a":[1]},"service_tier":"auto","container":null,"speed":"fast")")), "");
}

TEST(AnthropicDecode, takes_every_optional_field_of_the_sdk_suites_at_once) {
  EXPECT_EQ(
      error_of(
          R"({"max_tokens":1024,"messages":[{"content":[{"text":"x","type":"text","cache_control":{"type":"ephemeral",)"
          R"("ttl":"5m"},"citations":[{"cited_text":"c","type":"char_location"}]}],"role":"user"}],"model":"m",)"
          R"("cache_control":{"type":"ephemeral"},"container":{"id":"id","skills":[]},"inference_geo":"us",)"
          R"("metadata":{"user_id":"13803d75-b4b5-4c3e-b2a2-6f21399b021b"},"output_config":{"effort":"low"},)"
          R"("service_tier":"auto","stop_sequences":["string"],"stream":false,"system":[{"text":"t","type":"text"}],)"
          R"("temperature":1,"thinking":{"type":"adaptive","display":"summarized"},"tool_choice":{"type":"auto",)"
          R"("disable_parallel_tool_use":true},"tools":[{"input_schema":{"type":"object"},"name":"name",)"
          R"("strict":true}],)"
          R"("top_k":5,"top_p":0.7,"context_management":{"edits":[]},"mcp_servers":[],"betas":["x"]})"),
      "");
}

// The shape that Claude Code 2.1 sends, tools cut short.
std::string claude_code_body() {
  std::string tools;
  for (int i = 0; i < 22; ++i) {
    tools +=
        fmt::format(R"({}{{"name":"Tool{}","description":"Does \"things\".\n\tMore.","input_schema":{{"type":"object",)"
                    R"("properties":)"
                    R"({{"path":{{"type":"string"}}}},"required":["path"],"additionalProperties":false}},)"
                    R"("eager_input_streaming":true{}}})",
                    i == 0 ? "" : ",", i, i == 21 ? R"(,"defer_loading":true)" : "");
  }
  return fmt::format(
      R"({{"model":"smollm2","messages":[{{"role":"user","content":[{{"type":"text","text":"<system-reminder>\nx"}},)"
      R"({{"type":"text","text":"hi","cache_control":{{"type":"ephemeral","ttl":"1h"}}}}]}},{{"role":"system",)"
      R"("content":"Keep going.","output_config":{{"effort":"high"}}}}],"system":[{{"type":"text",)"
      R"("text":"x-anthropic-billing-header: cc_version=2.1.332;"}},{{"type":"text","text":"You are Claude Code",)"
      R"("cache_control":{{"type":"ephemeral"}}}},{{"type":"text","text":"Rules"}}],"tools":[{}],)"
      R"("metadata":{{"user_id":"{{\"device_id\":\"ab\",\"session_id\":\"cd\"}}"}},"max_tokens":32000,)"
      R"("thinking":{{"type":"adaptive","display":"omitted"}},"context_management":{{"edits":[{{"type":)"
      R"("clear_thinking_20251015","keep":"all"}}]}},"output_config":{{"effort":"medium"}},"stream":true}})",
      tools);
}

TEST(AnthropicDecode, takes_claude_codes_request) {
  const auto decoded = decode_messages(claude_code_body());
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(decoded->messages.size(), 3U);
  EXPECT_EQ(decoded->messages[0].role, Role::system);
  EXPECT_EQ(decoded->messages[0].parts.size(), 3U);
  EXPECT_EQ(decoded->messages[2].role, Role::system);
  EXPECT_EQ(decoded->messages[2].parts[0].text, "Keep going.");
  EXPECT_EQ(decoded->end_user, R"({"device_id":"ab","session_id":"cd"})");
  EXPECT_TRUE(decoded->needs.empty());
  EXPECT_FALSE(decoded->continues_assistant);
}

}  // namespace
}  // namespace stint::api
