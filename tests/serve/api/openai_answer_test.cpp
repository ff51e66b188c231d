#include "serve/api/openai_answer.h"

#include <gtest/gtest.h>

namespace stint::api {
namespace {

TEST(OpenaiAnswer, finish_reasons) {
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::stop), "stop");
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::stop_string), "stop");
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::length), "length");
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::context_window), "length");
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::tool_use), "tool_calls");
  EXPECT_EQ(openai_finish_reason(chat::FinishReason::refusal), "content_filter");
}

TEST(OpenaiAnswer, prompt_tokens_include_the_cache) {
  std::string out;
  json::Writer writer(out);
  write_openai_usage(writer,
                     {.input_tokens = 11, .cache_read_tokens = 4409, .cache_write_tokens = 0, .output_tokens = 40});
  EXPECT_TRUE(out.starts_with(R"({"prompt_tokens":4420,"completion_tokens":40,"total_tokens":4460,)"
                              R"("prompt_tokens_details":{"cached_tokens":4409,"cache_write_tokens":0,)"))
      << out;
}

TEST(OpenaiAnswer, counts_characters_not_bytes) {
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(character_count("caf\xC3\xA9 \xF0\x9F\x99\x82"), 6U);
}

TEST(OpenaiAnswer, only_raw_bytes_of_openai_are_passed) {
  chat::Event event;
  event.raw = "x";
  EXPECT_FALSE(is_raw_openai(event));
  event.dialect = chat::DialectId::anthropic;
  EXPECT_FALSE(is_raw_openai(event));
  event.dialect = chat::DialectId::openai;
  EXPECT_TRUE(is_raw_openai(event));
  event.raw.clear();
  EXPECT_FALSE(is_raw_openai(event));
}

TEST(OpenaiAnswer, an_infinitely_unlikely_token_is_null) {
  std::string out;
  json::Writer writer(out);
  write_chat_logprobs(writer,
                      {{.sampled = {.token = "a", .logprob = -std::numeric_limits<float>::infinity()}, .top = {}}});
  EXPECT_TRUE(out.contains(R"("logprob":null)"));
}

}  // namespace
}  // namespace stint::api
