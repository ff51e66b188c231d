#include "serve/api/openai_chat_encode.h"

#include <gtest/gtest.h>

#include "tests/fakes/stream_checker.h"
#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::FinishReason;

chat::Request request(bool stream, bool include_usage = false, std::uint32_t choice_count = 1) {
  chat::Request made;
  made.dialect = chat::DialectId::openai;
  made.model = "gpt-x";
  made.stream = stream;
  made.include_usage = include_usage;
  made.choice_count = choice_count;
  return made;
}

std::string check(const std::string& stream, bool with_usage = false, std::size_t choice_count = 1) {
  return fakes::OpenaiStreamChecker(choice_count, with_usage).check(stream);
}

chat::Event with_logprobs(chat::Event event) {
  event.logprobs = {{.sampled = {.token = "\xC3", .token_id = 5, .logprob = -0.5F},
                     .top = {{.token = "a", .token_id = 1, .logprob = -0.25F}}}};
  return event;
}

TEST(OpenaiChatStream, has_the_providers_chunks) {
  const std::string stream = encode(request(true), {start(), delta("Hi"), finish(FinishReason::length)});
  EXPECT_EQ(check(stream), "");
  EXPECT_EQ(stream, R"(data: {"id":"id_1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x",)"
                    R"("choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,)"
                    R"("finish_reason":null}]}

data: {"id":"id_1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x",)"
                    R"("choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":null,"finish_reason":null}]}

data: {"id":"id_1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x",)"
                    R"("choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"length"}]}

data: [DONE]

)");
}

TEST(OpenaiChatStream, usage_comes_in_a_chunk_of_its_own_when_asked_for) {
  const std::string stream = encode(request(true, true), {start(), delta("Hi"), finish()});
  EXPECT_EQ(check(stream, true), "");
  EXPECT_TRUE(
      stream.contains(R"("choices":[],"usage":{"prompt_tokens":4422,"completion_tokens":40,"total_tokens":4462,)"
                      R"("prompt_tokens_details":{"cached_tokens":4409,"cache_write_tokens":2,)"))
      << stream;
  EXPECT_TRUE(stream.contains(R"("finish_reason":null}],"usage":null})"));
}

TEST(OpenaiChatStream, choices_end_on_their_own) {
  const std::string stream =
      encode(request(true, false, 2), {start(), delta("a", 1), choice_finish(1, FinishReason::length), delta("b", 0),
                                       choice_finish(0, FinishReason::stop), finish()});
  EXPECT_EQ(check(stream, false, 2), "");
  EXPECT_TRUE(stream.contains(R"("index":1,"delta":{},"logprobs":null,"finish_reason":"length")"));
  EXPECT_TRUE(stream.contains(R"("index":0,"delta":{},"logprobs":null,"finish_reason":"stop")"));
}

TEST(OpenaiChatStream, logprobs_carry_the_tokens_bytes) {
  chat::Request asked = request(true);
  asked.sampling.logprobs = true;
  const std::string stream = encode(asked, {start(), with_logprobs(delta("x")), finish()});
  EXPECT_EQ(check(stream), "");
  EXPECT_TRUE(
      stream.contains("\"logprobs\":{\"content\":[{\"token\":\"\xEF\xBF\xBD\",\"logprob\":-0.5,\"bytes\":[195],"
                      "\"top_logprobs\":[{\"token\":\"a\",\"logprob\":-0.25,\"bytes\":[97]}]}],\"refusal\":null}"))
      << stream;
}

TEST(OpenaiChatStream, an_error_ends_it_without_done) {
  const std::string stream =
      encode(request(true), {start(), delta("a"), failure(base::ErrorKind::io, "The upstream is gone.")});
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(stream, true), "");
  EXPECT_TRUE(stream.ends_with(
      "data: {\"error\":{\"message\":\"The upstream is gone.\",\"type\":\"upstream_error\",\"param\":null,"
      "\"code\":\"stream_interrupted\"}}\n\n"))
      << stream;
}

TEST(OpenaiChatStream, keep_alives_are_comments) {
  const chat::Event ping{.kind = chat::Event::Kind::ping};
  const std::string stream = encode(request(true), {ping, start(), delta("a"), ping, finish()});
  EXPECT_EQ(check(stream), "");
  EXPECT_TRUE(stream.starts_with(": keep-alive\n\n"));
}

TEST(OpenaiChatStream, passes_raw_bytes_of_its_own_dialect) {
  chat::Event raw = delta("ignored");
  raw.dialect = chat::DialectId::openai;
  raw.raw = "data: {\"x\": 1}\n\n";
  EXPECT_EQ(encode(request(true), {raw}), raw.raw);
}

TEST(OpenaiChatBody, has_the_providers_keys) {
  EXPECT_EQ(encode(request(false), {start(), delta("He"), delta("y"), finish(FinishReason::stop_string, "x")}),
            R"({"id":"id_1","object":"chat.completion","created":1700000000,"model":"gpt-x","choices":[{"index":0,)"
            R"("message":{"role":"assistant","content":"Hey","refusal":null,"annotations":[]},"logprobs":null,)"
            R"("finish_reason":"stop"}],"usage":{"prompt_tokens":4422,"completion_tokens":40,"total_tokens":4462,)"
            R"("prompt_tokens_details":{"cached_tokens":4409,"cache_write_tokens":2,"audio_tokens":0},)"
            R"("completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,)"
            R"("rejected_prediction_tokens":0}}})");
}

TEST(OpenaiChatBody, keeps_choices_apart) {
  chat::Request asked = request(false, false, 2);
  asked.sampling.logprobs = true;
  const std::string body = encode(asked, {start(), delta("a", 1), delta("b", 0), with_logprobs(delta("c", 1)),
                                          choice_finish(1, FinishReason::length), finish()});
  EXPECT_TRUE(body.contains(R"({"index":0,"message":{"role":"assistant","content":"b")")) << body;
  EXPECT_TRUE(body.contains(R"("logprobs":{"content":[],"refusal":null},"finish_reason":"stop"})")) << body;
  EXPECT_TRUE(body.contains(R"({"index":1,"message":{"role":"assistant","content":"ac")")) << body;
  EXPECT_TRUE(body.contains(R"("finish_reason":"length"})")) << body;
}

}  // namespace
}  // namespace stint::api
