#include "serve/api/openai_completion_encode.h"

#include <gtest/gtest.h>

#include "tests/fakes/stream_checker.h"
#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::FinishReason;

chat::Request request(bool stream, std::vector<std::string_view> prompts, bool echo = false) {
  chat::Request made;
  made.kind = chat::CallKind::complete;
  made.dialect = chat::DialectId::openai;
  made.model = "gpt-x";
  made.stream = stream;
  made.prompts = std::move(prompts);
  made.echo = echo;
  return made;
}

chat::Event scored(std::string text) {
  chat::Event event = delta(text);
  event.logprobs = {{.sampled = {.token = text, .logprob = -1.5F}, .top = {{.token = "t", .logprob = -0.5F}}}};
  return event;
}

TEST(OpenaiCompletionStream, has_the_providers_chunks) {
  const std::string stream = encode(request(true, {"p"}), {start(), delta("Hi"), finish(FinishReason::length)});
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(stream), "");
  EXPECT_EQ(stream, R"(data: {"id":"id_1","object":"text_completion","created":1700000000,"model":"gpt-x",)"
                    R"("choices":[{"text":"Hi","index":0,"logprobs":null,"finish_reason":null}]}

data: {"id":"id_1","object":"text_completion","created":1700000000,"model":"gpt-x",)"
                    R"("choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"length"}]}

data: [DONE]

)");
}

TEST(OpenaiCompletionStream, echoes_each_prompt_before_its_answers) {
  chat::Request asked = request(true, {"first", "second"}, true);
  asked.choice_count = 2;
  asked.include_usage = true;
  const std::string stream = encode(asked, {start(), delta("x", 3), finish()});
  EXPECT_EQ(fakes::OpenaiStreamChecker(4, true).check(stream), "");
  EXPECT_TRUE(stream.contains(R"({"text":"first","index":1,)"));
  EXPECT_TRUE(stream.contains(R"({"text":"second","index":2,)"));
  EXPECT_LT(stream.find(R"({"text":"second","index":3,)"), stream.find(R"({"text":"x","index":3,)"));
}

TEST(OpenaiCompletionStream, an_error_ends_it_without_done) {
  const std::string stream = encode(request(true, {"p"}), {start(), failure(base::ErrorKind::timeout, "Late.")});
  EXPECT_EQ(fakes::OpenaiStreamChecker(1, false).check(stream, true), "");
}

TEST(OpenaiCompletionStream, text_offsets_count_characters_from_the_echo_on) {
  chat::Request asked = request(true, {"d\xC3\xA9j\xC3\xA0"}, true);
  asked.sampling.logprobs = true;
  const std::string stream = encode(asked, {start(), scored(" v\xC3\xBC"), scored("!"), finish()});
  EXPECT_TRUE(stream.contains(R"("token_logprobs":[-1.5],"top_logprobs":[{"t":-0.5}],"text_offset":[4]})")) << stream;
  EXPECT_TRUE(stream.contains(R"("text_offset":[7]})")) << stream;
}

TEST(OpenaiCompletionBody, has_the_providers_keys) {
  const std::string body =
      encode(request(false, {"ab", "cd"}, true),
             {start(), delta("1", 0), delta("2", 1), choice_finish(1, FinishReason::length), finish()});
  EXPECT_TRUE(body.starts_with(
      R"({"id":"id_1","object":"text_completion","created":1700000000,"model":"gpt-x","choices":[)"
      R"({"text":"ab1","index":0,"logprobs":null,"finish_reason":"stop"},)"
      R"({"text":"cd2","index":1,"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":4422,)"))
      << body;
}

TEST(OpenaiCompletionBody, logprobs_list_all_tokens) {
  chat::Request asked = request(false, {"ab"});
  asked.sampling.logprobs = true;
  const std::string body = encode(asked, {start(), scored("xy"), scored("z"), finish()});
  EXPECT_TRUE(body.contains(R"("logprobs":{"tokens":["xy","z"],"token_logprobs":[-1.5,-1.5],)"
                            R"("top_logprobs":[{"t":-0.5},{"t":-0.5}],"text_offset":[0,2]})"))
      << body;
}

TEST(OpenaiCompletionBody, token_prompts_make_choices_too) {
  chat::Request asked = request(false, {}, true);
  asked.prompt_tokens = {{1, 2}, {3}};
  EXPECT_TRUE(encode(asked, {start(), delta("b", 1), finish()}).contains(R"({"text":"b","index":1,)"));
}

}  // namespace
}  // namespace stint::api
