#include "serve/api/openai_decode.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::Feature;

Result<chat::Request> decode_chat(std::string_view fields) {
  return decode_openai_body(Endpoint::chat_completions,
                            fmt::format(R"({{"model":"m","messages":[{{"role":"user","content":"hi"}}]{}{}}})",
                                        fields.empty() ? "" : ",", fields));
}

Result<chat::Request> decode_completion(std::string_view fields) {
  return decode_openai_body(Endpoint::completions, fmt::format(R"({{"model":"m","prompt":"p"{}}})", fields));
}

Result<chat::Request> decode_embedding(std::string_view fields) {
  return decode_openai_body(Endpoint::embeddings, fmt::format(R"({{"model":"m"{}}})", fields));
}

std::string need_of(const Result<chat::Request>& decoded) {
  if (!decoded) return decoded.error().message;
  return decoded->needs.empty() ? "" : chat::refusal(decoded->needs.front(), "X").message;
}

TEST(OpenaiDecode, reads_the_fields_of_a_chat_request) {
  const auto decoded = decode_chat(
      R"("max_tokens":10,"max_completion_tokens":20,"temperature":1.5,"top_p":0.5,"stop":"END","seed":-1,)"
      R"("frequency_penalty":-2,"presence_penalty":2,"logit_bias":{"50256":-100},"logprobs":true,"top_logprobs":20,)"
      R"("stream":true,"stream_options":{"include_usage":true},"n":1,"user":"u","response_format":{"type":"text"},)"
      R"("tools":[{"type":"function"}],"tool_choice":"auto","parallel_tool_calls":false,"store":true)");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, chat::CallKind::chat);
  EXPECT_EQ(decoded->max_output_tokens, 20U);
  EXPECT_EQ(decoded->sampling.temperature, 1.5F);
  EXPECT_EQ(decoded->sampling.frequency_penalty, -2.0F);
  EXPECT_EQ(decoded->sampling.presence_penalty, 2.0F);
  EXPECT_EQ(decoded->sampling.seed, 18446744073709551615U);
  EXPECT_EQ(decoded->sampling.logit_bias, (std::vector<std::pair<std::uint32_t, float>>{{50256, -100.0F}}));
  EXPECT_TRUE(decoded->sampling.logprobs);
  EXPECT_EQ(decoded->sampling.top_logprobs, 20U);
  EXPECT_EQ(decoded->stop_strings, (std::vector<std::string_view>{"END"}));
  EXPECT_TRUE(decoded->stream);
  EXPECT_TRUE(decoded->include_usage);
  EXPECT_EQ(decoded->end_user, "u");
  EXPECT_FALSE(decoded->tools_span.empty());
  EXPECT_TRUE(decoded->needs.empty());
}

TEST(OpenaiDecode, max_tokens_counts_where_max_completion_tokens_is_absent_or_null) {
  EXPECT_EQ(decode_chat(R"("max_tokens":10)")->max_output_tokens, 10U);
  EXPECT_EQ(decode_chat(R"("max_tokens":10,"max_completion_tokens":null)")->max_output_tokens, 10U);
  EXPECT_EQ(decode_chat("")->max_output_tokens, std::nullopt);
}

TEST(OpenaiDecode, notes_what_a_backend_must_be_able_to_do) {
  EXPECT_EQ(need_of(decode_chat(R"("n":2)")),
            "n: X gives one answer a request; set this field to 1 and send several requests.");
  EXPECT_EQ(need_of(decode_chat(R"("response_format":{"type":"json_schema","json_schema":{}})")),
            "response_format: X cannot hold its output to JSON; leave this field out or set it to text.");
  EXPECT_EQ(decode_chat(R"("response_format":{"type":"json_object"})")->needs[0].feature, Feature::json_object);
  EXPECT_EQ(decode_chat(R"("modalities":["text","audio"])")->needs[0].feature, Feature::audio);
  EXPECT_EQ(need_of(decode_chat(R"("modalities":["text"],"n":1)")), "");
  EXPECT_EQ(decode_completion(R"(,"suffix":"x")")->needs[0].feature, Feature::suffix);
  EXPECT_EQ(decode_completion(R"(,"best_of":2)")->needs[0].feature, Feature::best_of);
  EXPECT_EQ(need_of(decode_completion(R"(,"suffix":null,"best_of":1)")), "");
}

TEST(OpenaiDecode, chat_errors_name_field_and_range) {
  struct Case {
    std::string_view fields;
    std::string_view message;
  };
  for (const Case& c : {
           Case{R"("max_tokens":0)", "max_tokens: must be an integer from 1 to 4294967295."},
           Case{R"("max_completion_tokens":1.5)", "max_completion_tokens: must be an integer from 1 to 4294967295."},
           Case{R"("logprobs":1)", "logprobs: expected a boolean, got a number."},
           Case{R"("logprobs":true,"top_logprobs":21)", "top_logprobs: must be an integer from 0 to 20."},
           Case{R"("top_logprobs":2)", "top_logprobs: needs logprobs to be true."},
           Case{R"("response_format":{"type":"xml"})",
                "response_format.type: must be one of text, json_object, json_schema."},
           Case{R"("response_format":{})", "response_format.type: must be one of text, json_object, json_schema."},
           Case{R"("response_format":"json")", "response_format: expected an object, got a string."},
           Case{R"("tools":"all")", "tools: expected an array, got a string."},
           Case{R"("modalities":"text")", "modalities: expected an array, got a string."},
           Case{R"("messages":[])", "messages: this key occurs twice; send it once."},
       }) {
    const auto decoded = decode_chat(c.fields);
    ASSERT_FALSE(decoded) << c.fields;
    EXPECT_EQ(decoded.error().message, c.message);
    EXPECT_EQ(decoded.error().message.find(decoded.error().param), 0U) << decoded.error().param;
  }
  EXPECT_EQ(decode_openai_body(Endpoint::chat_completions, R"({"model":"m"})").error().message,
            "messages: this field is required.");
  EXPECT_EQ(decode_openai_body(Endpoint::chat_completions, R"({"messages":[]})").error().message,
            "model: this field is required.");
}

TEST(OpenaiDecode, reads_a_completion) {
  const auto decoded = decode_completion(R"(,"max_tokens":0,"echo":true,"logprobs":0,"stream":true,"n":1)");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, chat::CallKind::complete);
  EXPECT_EQ(decoded->prompts, (std::vector<std::string_view>{"p"}));
  EXPECT_EQ(decoded->max_output_tokens, 0U);
  EXPECT_TRUE(decoded->echo);
  EXPECT_TRUE(decoded->sampling.logprobs);
  EXPECT_EQ(decoded->sampling.top_logprobs, 0U);
  EXPECT_EQ(decode_completion("")->max_output_tokens, 16U);
  EXPECT_FALSE(decode_completion(R"(,"logprobs":null)")->sampling.logprobs);
  EXPECT_EQ(decode_completion(R"(,"logprobs":6)").error().message, "logprobs: must be an integer from 0 to 5.");
  EXPECT_EQ(decode_completion(R"(,"best_of":0)").error().message, "best_of: must be an integer from 1 to 20.");
  EXPECT_EQ(decode_openai_body(Endpoint::completions, R"({"model":"m"})").error().message,
            "prompt: this field is required.");
}

TEST(OpenaiDecode, reads_an_embedding_request) {
  const auto decoded = decode_embedding(R"(,"input":["a","b"],"encoding_format":"base64","dimensions":256,"user":"u")");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, chat::CallKind::embed);
  EXPECT_EQ(decoded->prompts.size(), 2U);
  EXPECT_TRUE(decoded->embedding_base64);
  EXPECT_EQ(decoded->embedding_dimensions, 256U);
  EXPECT_EQ(decoded->end_user, "u");
  EXPECT_FALSE(decode_embedding(R"(,"input":"a","encoding_format":"float")")->embedding_base64);
  EXPECT_EQ(decode_embedding(R"(,"input":"a","encoding_format":"hex")").error().message,
            "encoding_format: must be one of float, base64.");
  EXPECT_EQ(decode_embedding(R"(,"input":"a","dimensions":0)").error().message,
            "dimensions: must be an integer from 1 to 4294967295.");
  EXPECT_EQ(decode_embedding("").error().message, "input: this field is required.");
}

}  // namespace
}  // namespace stint::api
