#include "engine/engine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/kernels/tier.h"
#include "engine/template/chat_template.h"
#include "tests/fakes/random_gguf.h"

namespace stint::engine {
namespace {

using testing::HasSubstr;

struct Answer {
  std::string text;
  std::vector<TokenId> tokens;
  std::vector<float> embedding;
  Finish finish;
};

Answer read(Ticket& ticket) {
  Answer answer;
  while (true) {
    Output out = ticket.wait_next();
    answer.text += out.text;
    for (const OutputToken& token : out.tokens) answer.tokens.push_back(token.token);
    if (!out.embedding.empty()) answer.embedding = std::move(out.embedding);
    if (!out.finish) continue;
    answer.finish = *std::move(out.finish);
    return answer;
  }
}

class EngineTest : public testing::Test {
 protected:
  EngineTest() {
    // Several builds of this test may run at once.
    path_ =
        (std::filesystem::path(testing::TempDir()) /
         fmt::format("engine_{}_{}.gguf", ::getpid(), testing::UnitTest::GetInstance()->current_test_info()->name()))
            .string();
  }
  ~EngineTest() override { std::filesystem::remove(path_); }

  void write_model(fakes::RandomModel model, gguf::TensorType type) {
    fakes::RandomGgufOptions options;
    options.model = model;
    options.type = type;
    std::ofstream(path_, std::ios::binary) << fakes::random_gguf(options);
  }

  EngineSettings settings(std::string_view tier = "auto", std::uint32_t step_token_budget = 256) const {
    EngineSettings out;
    out.model_path = path_;
    out.thread_count = 2;
    out.kernel_tier = tier;
    out.max_resident_tokens = 2048;
    out.context_tokens = 512;
    out.step_token_budget = step_token_budget;
    return out;
  }

  std::unique_ptr<Engine> load(const EngineSettings& settings) {
    auto engine = Engine::load(settings, clock_);
    EXPECT_TRUE(engine) << engine.error().message;
    return engine ? std::move(*engine) : nullptr;
  }

  Submission greedy(const Engine& engine, std::string_view text, std::uint32_t max_output_tokens) {
    Submission out;
    engine.tokenizer().encode(text, tokenizer::Trust::user, out.prompt);
    out.max_output_tokens = max_output_tokens;
    out.sampling.temperature = 0;
    out.ignore_end_of_generation = true;
    return out;
  }

  // The tokens of 16 prompts of different lengths, submitted together or one after the other.
  std::vector<std::vector<TokenId>> answers(Engine& engine, bool together) {
    std::vector<std::vector<TokenId>> all;
    std::vector<Ticket> tickets;
    std::string text = "Once";
    for (int i = 0; i < 16; ++i) {
      text += " " + std::to_string(i);
      tickets.push_back(*engine.submit(greedy(engine, text, 6)));
      if (!together) all.push_back(read(tickets.back()).tokens);
    }
    if (together)
      for (Ticket& ticket : tickets) all.push_back(read(ticket).tokens);
    return all;
  }

  // The same answers alone, in a batch of 16, and in one whose prompts are cut into chunks.
  void check_invariance(std::string_view tier) {
    const auto engine = load(settings(tier));
    ASSERT_TRUE(engine);
    if (tier != "auto") EXPECT_EQ(engine->model_info().kernel_tier, tier);
    const auto alone = answers(*engine, false);
    EXPECT_EQ(answers(*engine, true), alone);
    const auto chunked = load(settings(tier, 17));
    ASSERT_TRUE(chunked);
    EXPECT_EQ(answers(*chunked, true), alone);
  }

  base::SystemClock clock_;
  std::string path_;
};

TEST_F(EngineTest, describes_and_answers) {
  write_model(fakes::RandomModel::llama, gguf::TensorType::q4_1);
  const auto engine = load(settings());
  ASSERT_TRUE(engine);
  EXPECT_EQ(engine->model_info().architecture, "llama");
  EXPECT_EQ(engine->model_info().context_tokens, 512U);
  EXPECT_GT(engine->model_info().parameter_count, 0U);
  EXPECT_EQ(engine->model_info().file_size, std::filesystem::file_size(path_));
  Ticket ticket = *engine->submit(greedy(*engine, "hello", 10));
  const Answer answer = read(ticket);
  EXPECT_EQ(answer.tokens.size(), 10U);
  EXPECT_EQ(answer.finish.reason, FinishReason::length);
  EXPECT_EQ(answer.finish.output_tokens, 10U);
  EXPECT_GT(engine->stats().steps, 0U);
}

// Every tier there is: absent ones are named, not passed over in silence.
TEST_F(EngineTest, greedy_output_depends_neither_on_company_nor_on_chunks) {
  write_model(fakes::RandomModel::llama, gguf::TensorType::q4_1);
  for (const kernels::Tier tier : kernels::all_tiers()) {
    const std::string name(kernels::to_string(tier));
    SCOPED_TRACE(name);
    if (kernels::is_available(tier)) {
      check_invariance(name);
    } else {
      RecordProperty("tier_" + name, "absent");
    }
  }
}

TEST_F(EngineTest, sliding_windows_do_not_depend_on_company_or_chunks_either) {
  write_model(fakes::RandomModel::gemma3, gguf::TensorType::q4_1);
  check_invariance("auto");
}

TEST_F(EngineTest, embeddings_have_unit_length_and_the_models_width) {
  write_model(fakes::RandomModel::qwen3, gguf::TensorType::f32);
  const auto engine = load(settings());
  ASSERT_TRUE(engine);
  Submission embed = greedy(*engine, "a text to embed", 1);
  embed.kind = Submission::Kind::embed;
  Ticket ticket = *engine->submit(std::move(embed));
  const Answer answer = read(ticket);
  ASSERT_EQ(answer.embedding.size(), engine->model_info().embedding_size);
  double square = 0;
  for (const float value : answer.embedding) square += static_cast<double>(value) * static_cast<double>(value);
  EXPECT_NEAR(square, 1.0, 1e-5);
}

TEST_F(EngineTest, an_overlong_prompt_is_refused_with_counts) {
  write_model(fakes::RandomModel::llama, gguf::TensorType::f32);
  const auto engine = load(settings());
  ASSERT_TRUE(engine);
  Submission large = greedy(*engine, "x", 1);
  large.prompt.assign(600, large.prompt[0]);
  const auto refused = engine->submit(std::move(large));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "context_length_exceeded");
  EXPECT_THAT(refused.error().message, HasSubstr("600"));
  EXPECT_THAT(refused.error().message, HasSubstr("512"));
}

TEST_F(EngineTest, a_ticket_outlives_its_engine_and_ends_with_unavailable) {
  write_model(fakes::RandomModel::llama, gguf::TensorType::f32);
  auto engine = load(settings());
  ASSERT_TRUE(engine);
  Ticket ticket = *engine->submit(greedy(*engine, "hello", 500));
  engine.reset();
  const Finish finish = read(ticket).finish;
  if (finish.reason == FinishReason::failed) EXPECT_EQ(finish.error->kind, ErrorKind::unavailable);
  EXPECT_NE(finish.reason, FinishReason::cancelled);
}

TEST_F(EngineTest, files_and_settings_that_do_not_work_are_errors) {
  EXPECT_EQ(Engine::load(settings(), clock_).error().kind, ErrorKind::io) << "there is no file";
  std::ofstream(path_, std::ios::binary) << "GGUF but not really";
  EXPECT_FALSE(Engine::load(settings(), clock_));
  write_model(fakes::RandomModel::llama, gguf::TensorType::f32);
  EXPECT_EQ(Engine::load(settings("quantum"), clock_).error().kind, ErrorKind::invalid_request);
}

}  // namespace
}  // namespace stint::engine
