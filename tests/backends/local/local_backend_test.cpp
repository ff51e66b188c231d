#include "backends/local/local_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/limits.h"
#include "tests/backends/backend_contract.h"
#include "tests/fakes/tiny_engine.h"

namespace stint::local {
namespace {

using chat::Event;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint32_t kAnswerTokens = 4;

// A local backend over a tiny model. One for the whole program: loading costs more than all tests together, and the
// loop must outlive the engine, whose last wake may come after the stream it was for.
struct TinyBackend {
  static TinyBackend& shared() {
    static TinyBackend backend;
    return backend;
  }
  TinyBackend() { slot.set(engine); }
  ~TinyBackend() { loop.shutdown(); }

  base::SystemClock clock;
  net::MemoryPoller poller;
  net::Worker worker{"test", 8};
  base::Random random{1};
  net::Loop loop{clock, poller};
  std::shared_ptr<engine::Engine> engine = fakes::tiny_engine(clock);
  EngineSlot slot;
  LocalBackend backend{slot, loop, worker, random};
};

// Makes the model say nothing but the word "hello".
void say_hello(chat::Request& request) {
  const std::optional<engine::TokenId> hello = TinyBackend::shared().engine->tokenizer().find_token("hello");
  STINT_ASSERT(hello.has_value());
  request.sampling.temperature = 0.0F;
  request.sampling.logit_bias = {{*hello, 1000.0F}};
}

chat::Request chat_request(std::string_view text = "What is the time?") {
  chat::Request request;
  request.messages.push_back({.role = chat::Role::user, .parts = {{.text = text}}, .source = {}});
  request.max_output_tokens = kAnswerTokens;
  say_hello(request);
  return request;
}

chat::Request completion_request(std::vector<std::string_view> prompts) {
  chat::Request request;
  request.kind = chat::CallKind::complete;
  request.prompts = std::move(prompts);
  say_hello(request);
  return request;
}

class LocalSubject {
 public:
  backends::Backend& backend() { return TinyBackend::shared().backend; }
  const chat::Request& request() const { return request_; }
  template <typename T>
  T run(net::Task<T> task) {
    return TinyBackend::shared().loop.run(std::move(task));
  }

 private:
  chat::Request request_ = chat_request();
};

}  // namespace
}  // namespace stint::local

namespace stint::backends {
INSTANTIATE_TYPED_TEST_SUITE_P(Local, BackendContract, local::LocalSubject);
}  // namespace stint::backends

namespace stint::local {
namespace {

class LocalBackendTest : public testing::Test {
 protected:
  using Stream = std::unique_ptr<backends::EventStream>;

  Result<Stream> start(const chat::Request& request) {
    return tiny_.loop.run(tiny_.backend.start({.request = &request, .model = "tiny"}, base::Deadline::never()));
  }
  Event next(backends::EventStream& stream) { return tiny_.loop.run(stream.next(base::Deadline::never())).value(); }

  // All events up to the finish or an error, both included.
  std::vector<Event> answer(const chat::Request& request) {
    const Result<Stream> stream = start(request);
    STINT_ASSERT(stream.has_value());
    std::vector<Event> events;
    while (events.empty() || (events.back().kind != Event::Kind::finish && events.back().kind != Event::Kind::error)) {
      events.push_back(next(**stream));
    }
    return events;
  }
  Error refusal(const chat::Request& request) {
    const Result<Stream> stream = start(request);
    STINT_ASSERT(!stream.has_value());
    return stream.error();
  }
  static std::string text(const std::vector<Event>& events, std::uint32_t index = 0) {
    std::string joined;
    for (const Event& event : events) {
      if (event.kind == Event::Kind::text_delta && event.index == index) joined += event.text;
    }
    return joined;
  }
  static std::size_t count(const std::vector<Event>& events, Event::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(events, kind, &Event::kind));
  }

  TinyBackend& tiny_ = TinyBackend::shared();
};

TEST_F(LocalBackendTest, a_chat_is_answered_up_to_its_limit) {
  const std::vector<Event> events = answer(chat_request());
  EXPECT_EQ(text(events), "hellohellohellohello");
  EXPECT_EQ(events.back().finish_reason, chat::FinishReason::length);
  EXPECT_EQ(events.back().usage.output_tokens, kAnswerTokens);
  EXPECT_GT(events.front().usage.input_tokens, 0u);
  EXPECT_EQ(events.back().usage.total_input_tokens(), events.front().usage.input_tokens);
  EXPECT_EQ(count(events, Event::Kind::choice_finish), 0u);
}

TEST_F(LocalBackendTest, a_call_for_no_tokens_counts_its_prompt_and_says_nothing) {
  chat::Request request = chat_request();
  request.max_output_tokens = 0;
  const std::vector<Event> events = answer(request);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events.front().kind, Event::Kind::start);
  EXPECT_EQ(events.back().finish_reason, chat::FinishReason::length);
  EXPECT_GT(events.back().usage.input_tokens, 0u);
  EXPECT_EQ(events.back().usage.output_tokens, 0u);
}

TEST_F(LocalBackendTest, only_text_without_log_probabilities_is_echoed) {
  chat::Request request = completion_request({"hello"});
  request.echo = true;
  EXPECT_TRUE(start(request));
  request.sampling.logprobs = true;
  EXPECT_EQ(refusal(request).param, "echo");
  request.sampling.logprobs = false;
  request.prompt_tokens = {{1, 2}};
  EXPECT_EQ(refusal(request).kind, ErrorKind::unsupported);
}

TEST_F(LocalBackendTest, every_token_is_counted_behind_some_text) {
  std::uint32_t token_count = 0;
  for (const Event& event : answer(chat_request())) token_count += event.token_count;
  EXPECT_EQ(token_count, kAnswerTokens);
}

TEST_F(LocalBackendTest, an_answer_without_a_limit_ends_with_the_context) {
  chat::Request request = chat_request();
  request.max_output_tokens.reset();
  const std::vector<Event> events = answer(request);
  EXPECT_EQ(events.back().finish_reason, chat::FinishReason::context_window);
  EXPECT_EQ(events.back().usage.output_tokens + events.back().usage.total_input_tokens(), fakes::kTinyContextTokens);
}

TEST_F(LocalBackendTest, a_stop_string_ends_the_answer_before_it) {
  chat::Request request = chat_request();
  request.stop_strings = {"never", "loh"};
  const std::vector<Event> events = answer(request);
  EXPECT_EQ(text(events), "hel");
  EXPECT_EQ(events.back().finish_reason, chat::FinishReason::stop_string);
  EXPECT_EQ(events.back().stop_string, "loh");
}

TEST_F(LocalBackendTest, the_same_seed_gives_the_same_answer) {
  chat::Request request = chat_request();
  request.sampling = {.temperature = 1.0F, .seed = 7};
  request.max_output_tokens = 16;
  EXPECT_EQ(text(answer(request)), text(answer(request)));
}

TEST_F(LocalBackendTest, a_completion_has_sixteen_tokens_by_default) {
  EXPECT_EQ(answer(completion_request({"the time"})).back().usage.output_tokens, kCompletionTokensDefault);
}

TEST_F(LocalBackendTest, every_prompt_of_a_completion_is_a_choice) {
  chat::Request request = completion_request({"the", "and", "what is"});
  request.max_output_tokens = 2;
  const std::vector<Event> events = answer(request);
  for (std::uint32_t index = 0; index < 3; ++index) EXPECT_EQ(text(events, index), "hellohello");
  EXPECT_EQ(count(events, Event::Kind::choice_finish), 3u);
  EXPECT_EQ(count(events, Event::Kind::finish), 1u);
  EXPECT_EQ(events.back().usage.output_tokens, 6u);
  std::vector<bool> finished(3);
  for (const Event& event : events) {
    if (event.kind == Event::Kind::text_delta) EXPECT_FALSE(finished.at(event.index));
    if (event.kind == Event::Kind::choice_finish) finished.at(event.index) = true;
  }
  EXPECT_THAT(finished, testing::Each(true));
}

TEST_F(LocalBackendTest, prompts_may_be_given_as_tokens) {
  chat::Request request = completion_request({});
  request.prompt_tokens = {{1, 2, 3}};
  EXPECT_EQ(answer(request).front().usage.input_tokens, 3u);
}

TEST_F(LocalBackendTest, every_input_has_its_embedding_of_length_one) {
  chat::Request request;
  request.kind = chat::CallKind::embed;
  request.prompts = {"the", "what is the time"};
  const std::vector<Event> events = answer(request);
  std::vector<std::uint32_t> indexes;
  for (const Event& event : events) {
    if (event.kind != Event::Kind::embedding) continue;
    indexes.push_back(event.index);
    EXPECT_EQ(event.embedding.size(), tiny_.engine->model_info().embedding_size);
    double square = 0;
    for (const float value : event.embedding) square += double{value} * value;
    EXPECT_NEAR(square, 1.0, 1e-4);
  }
  std::ranges::sort(indexes);
  EXPECT_THAT(indexes, ElementsAre(0u, 1u));
  EXPECT_EQ(count(events, Event::Kind::text_delta), 0u);
}

TEST_F(LocalBackendTest, log_probabilities_come_with_the_text_they_belong_to) {
  chat::Request request = chat_request();
  request.sampling.logprobs = true;
  request.sampling.top_logprobs = 3;
  std::size_t described_count = 0;
  for (const Event& event : answer(request)) {
    EXPECT_EQ(event.logprobs.size(), event.token_count);
    for (const chat::SampledLogprob& logprob : event.logprobs) {
      ++described_count;
      EXPECT_EQ(logprob.sampled.token, "hello");
      EXPECT_LE(logprob.sampled.logprob, 0.0F);
      ASSERT_EQ(logprob.top.size(), 3u);
      EXPECT_GE(logprob.top[0].logprob, logprob.top[1].logprob);
    }
  }
  EXPECT_EQ(described_count, kAnswerTokens);
}

TEST_F(LocalBackendTest, nobody_pays_for_log_probabilities_unasked) {
  for (const Event& event : answer(chat_request())) EXPECT_TRUE(event.logprobs.empty());
}

TEST_F(LocalBackendTest, long_texts_are_read_on_the_worker_thread_with_the_same_result) {
  const std::string words(base::kInlineTextSizeMax + 1, 'x');
  chat::Request request = chat_request(words);
  const Result<std::uint64_t> counted =
      tiny_.loop.run(tiny_.backend.count_tokens({.request = &request}, base::Deadline::never()));
  ASSERT_TRUE(counted);
  EXPECT_GT(*counted, words.size());  // no token of the vocabulary holds two of them
  EXPECT_EQ(refusal(request).code, "context_length_exceeded");
}

TEST_F(LocalBackendTest, what_the_model_cannot_do_is_refused_by_the_name_of_its_field) {
  const std::vector<chat::Need> needs{{chat::Feature::image, "messages.0.content.1"},
                                      {chat::Feature::json_schema, "response_format"},
                                      {chat::Feature::many_choices, "n"}};
  for (const chat::Need& need : needs) {
    chat::Request request = chat_request();
    request.needs = {need};
    const Error error = refusal(request);
    EXPECT_EQ(error.kind, ErrorKind::unsupported);
    EXPECT_EQ(error.param, need.path);
    EXPECT_THAT(error.message, HasSubstr("the local model"));
    const auto counted = tiny_.loop.run(tiny_.backend.count_tokens({.request = &request}, base::Deadline::never()));
    EXPECT_FALSE(counted);
  }
}

TEST_F(LocalBackendTest, a_refused_thread_carries_the_code_that_sdks_look_for) {
  chat::Request request = chat_request();
  request.needs = {{chat::Feature::thread, "thread"}};
  EXPECT_EQ(refusal(request).code, "thread_unsupported_request");
}

TEST_F(LocalBackendTest, too_many_inputs_are_refused) {
  chat::Request request = completion_request(std::vector<std::string_view>(kInputCountMax + 1, "the"));
  const Error error = refusal(request);
  EXPECT_EQ(error.kind, ErrorKind::too_large);
  EXPECT_EQ(error.param, "prompt");
}

TEST_F(LocalBackendTest, a_submission_that_the_engine_refuses_takes_the_others_back) {
  chat::Request request = completion_request({});
  request.prompt_tokens = {{1, 2, 3}, std::vector<std::uint32_t>(fakes::kTinyContextTokens, 1)};
  EXPECT_EQ(refusal(request).code, "context_length_exceeded");
}

TEST_F(LocalBackendTest, until_the_model_is_there_callers_shall_come_back) {
  const EngineSlot empty;
  LocalBackend backend(empty, tiny_.loop, tiny_.worker, tiny_.random);
  const chat::Request request = chat_request();
  const Result<Stream> stream = tiny_.loop.run(backend.start({.request = &request}, base::Deadline::never()));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(stream.error().message, HasSubstr("still loading"));
  EXPECT_FALSE(tiny_.loop.run(backend.count_tokens({.request = &request}, base::Deadline::never())));
}

TEST_F(LocalBackendTest, a_cancelled_answer_leaves_the_engine) {
  chat::Request request = chat_request();
  request.max_output_tokens = 200;
  const Result<Stream> stream = start(request);
  ASSERT_TRUE(stream);
  next(**stream);
  (*stream)->cancel();
  EXPECT_EQ(tiny_.loop.run((*stream)->next(base::Deadline::never())).error().kind, ErrorKind::cancelled);
  // The next answer is served as ever.
  EXPECT_EQ(text(answer(chat_request())), "hellohellohellohello");
}

}  // namespace
}  // namespace stint::local
