// Whole forward passes over small random models of every architecture and weight type, on every tier.
#include "engine/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "tests/fakes/random_gguf.h"

namespace stint::model {
namespace {

using fakes::RandomModel;

constexpr RandomModel kModels[] = {RandomModel::llama, RandomModel::llama3, RandomModel::qwen2, RandomModel::qwen3,
                                   RandomModel::gemma3};
constexpr gguf::TensorType kTypes[] = {gguf::TensorType::f32,  gguf::TensorType::f16,  gguf::TensorType::bf16,
                                       gguf::TensorType::q4_0, gguf::TensorType::q4_1, gguf::TensorType::q5_0,
                                       gguf::TensorType::q5_1, gguf::TensorType::q8_0, gguf::TensorType::q4_k,
                                       gguf::TensorType::q5_k, gguf::TensorType::q6_k};

gguf::File random_file(RandomModel model, gguf::TensorType type) {
  const std::string bytes = fakes::random_gguf({.model = model, .type = type});
  Result<gguf::File> file = gguf::File::from_bytes(std::as_bytes(std::span(bytes)), "random.gguf");
  EXPECT_TRUE(file) << file.error().message;
  return std::move(*file);
}

std::shared_ptr<const gguf::File> shared_file(RandomModel model, gguf::TensorType type) {
  return std::make_shared<const gguf::File>(random_file(model, type));
}

// A model with its file, threads and pages.
struct Loaded {
  std::shared_ptr<const gguf::File> file;
  kernels::WorkerPool workers;
  std::unique_ptr<Model> model;
  kv::PagePool pool;

  Loaded(std::shared_ptr<const gguf::File> from, kernels::Tier tier, std::uint32_t threads = 2,
         kv::KvType kv = kv::KvType::f16)
      : file(std::move(from)), workers(threads), model(load(*file, tier, workers)), pool(shape(kv), 64) {}
  Loaded(RandomModel which, gguf::TensorType type, kernels::Tier tier, std::uint32_t threads = 2,
         kv::KvType kv = kv::KvType::f16)
      : Loaded(shared_file(which, type), tier, threads, kv) {}

  static std::unique_ptr<Model> load(const gguf::File& file, kernels::Tier tier, kernels::WorkerPool& workers) {
    Result<std::unique_ptr<Model>> model = Model::load(file, tier, workers);
    EXPECT_TRUE(model) << model.error().message;
    return std::move(*model);
  }
  kv::PageShape shape(kv::KvType type) const {
    const Hyperparameters& h = model->hyperparameters();
    return {h.layer_count, h.kv_head_count, h.head_size, type};
  }
  std::vector<TokenId> tokens(std::uint32_t count, std::uint32_t seed = 1) const {
    std::vector<TokenId> tokens(count);
    for (std::uint32_t i = 0; i < count; ++i)
      tokens[i] = (i * 31 + seed * 17) % model->hyperparameters().vocabulary_count;
    return tokens;
  }
  // Logits of all tokens, run in chunks of `chunk`.
  std::vector<float> logits(std::span<const TokenId> tokens, std::uint32_t chunk) {
    kv::PageTable pages(pool);
    EXPECT_TRUE(pages.grow_to(static_cast<std::uint32_t>(tokens.size())));
    std::vector<float> all;
    StepOutput output;
    for (std::size_t done = 0; done < tokens.size(); done += chunk) {
      StepPlan plan;
      plan.slices.push_back({tokens.subspan(done, std::min<std::size_t>(chunk, tokens.size() - done)),
                             static_cast<std::uint32_t>(done), &pages, kv::Role::prefill, Want::all_logits});
      model->run(plan, output);
      all.insert(all.end(), output.logits.begin(), output.logits.end());
    }
    return all;
  }
};

std::vector<kernels::Tier> fast_tiers() {
  std::vector<kernels::Tier> tiers;
  for (const kernels::Tier tier : kernels::all_tiers()) {
    if (tier == kernels::Tier::reference) continue;
    if (kernels::is_available(tier)) tiers.push_back(tier);
    if (!kernels::is_available(tier))
      std::printf("kernel tier %s: absent\n", std::string(kernels::to_string(tier)).c_str());
  }
  return tiers;
}

double nmse(const std::vector<float>& got, const std::vector<float>& expected) {
  double error = 0;
  double energy = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
    error += difference * difference;
    energy += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
  }
  return error / energy;
}

void expect_fast_paths_follow(RandomModel which, gguf::TensorType type) {
  const std::shared_ptr<const gguf::File> file = shared_file(which, type);
  Loaded reference(file, kernels::Tier::reference);
  const std::vector<TokenId> tokens = reference.tokens(18);
  const std::vector<float> expected = reference.logits(tokens, 18);
  for (const kernels::Tier tier : fast_tiers()) {
    Loaded fast(file, tier);
    // Dense weights leave f32 rounding; 8-bit activations about half a percent a matrix.
    const bool dense = gguf::block_count(type) == 1;
    EXPECT_LE(nmse(fast.logits(tokens, 18), expected), dense ? 1e-5 : 2e-2)
        << kernels::to_string(tier) << " model " << static_cast<int>(which) << " " << gguf::to_string(type);
  }
}

TEST(Model, fast_paths_follow_the_reference_on_every_weight_type) {
  for (const gguf::TensorType type : kTypes) expect_fast_paths_follow(RandomModel::llama, type);
}

TEST(Model, fast_paths_follow_the_reference_on_every_architecture) {
  for (const RandomModel which : kModels)
    for (const gguf::TensorType type : {gguf::TensorType::f32, gguf::TensorType::q4_1})
      expect_fast_paths_follow(which, type);
}

TEST(Model, a_prompt_in_chunks_gives_the_bits_of_the_whole) {
  for (const RandomModel which : kModels) {
    const std::shared_ptr<const gguf::File> file = shared_file(which, gguf::TensorType::q4_1);
    for (const kernels::Tier tier : fast_tiers()) {
      Loaded loaded(file, tier);
      const std::vector<TokenId> tokens = loaded.tokens(36);
      const std::vector<float> whole = loaded.logits(tokens, 36);
      for (const std::uint32_t chunk : {1U, 16U, 23U}) {
        const std::vector<float> parts = loaded.logits(tokens, chunk);
        EXPECT_EQ(std::memcmp(parts.data(), whole.data(), whole.size() * sizeof(float)), 0)
            << kernels::to_string(tier) << " model " << static_cast<int>(which) << " chunk " << chunk;
      }
    }
  }
}

TEST(Model, slices_do_not_disturb_each_other) {
  const std::shared_ptr<const gguf::File> file = shared_file(RandomModel::llama, gguf::TensorType::q4_0);
  for (const kernels::Tier tier : fast_tiers()) {
    Loaded loaded(file, tier);
    constexpr std::uint32_t kCount = 9;
    std::vector<std::vector<TokenId>> prompts;
    std::vector<std::vector<float>> alone;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      prompts.push_back(loaded.tokens(5 + 3 * i, i));
      const std::vector<float> logits = loaded.logits(prompts[i], 64);
      alone.emplace_back(logits.end() - loaded.model->hyperparameters().vocabulary_count, logits.end());
    }
    std::vector<kv::PageTable> tables;
    for (std::uint32_t i = 0; i < kCount; ++i) tables.emplace_back(loaded.pool);
    StepPlan plan;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      ASSERT_TRUE(tables[i].grow_to(static_cast<std::uint32_t>(prompts[i].size())));
      plan.slices.push_back({prompts[i], 0, &tables[i], kv::Role::prefill, Want::last_logits});
    }
    StepOutput output;
    loaded.model->run(plan, output);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(output.row_of_slice[i], i);
      const float* row = output.logits.data() + std::size_t{i} * alone[i].size();
      EXPECT_EQ(std::memcmp(row, alone[i].data(), alone[i].size() * sizeof(float)), 0)
          << kernels::to_string(tier) << " " << i;
    }
  }
}

TEST(Model, the_number_of_threads_changes_no_bit) {
  const std::shared_ptr<const gguf::File> file = shared_file(RandomModel::qwen3, gguf::TensorType::q8_0);
  for (const kernels::Tier tier : fast_tiers()) {
    Loaded one(file, tier, 1);
    const std::vector<TokenId> tokens = one.tokens(20);
    const std::vector<float> expected = one.logits(tokens, 20);
    for (const std::uint32_t threads : {2U, 3U, 5U}) {
      Loaded more(file, tier, threads);
      EXPECT_EQ(more.logits(tokens, 20), expected) << kernels::to_string(tier) << " " << threads;
    }
  }
}

TEST(Model, f32_pages_hold_what_f16_pages_round) {
  const std::shared_ptr<const gguf::File> file = shared_file(RandomModel::qwen2, gguf::TensorType::f32);
  for (const kernels::Tier tier : kernels::all_tiers()) {
    if (!kernels::is_available(tier)) continue;
    Loaded half(file, tier, 2, kv::KvType::f16);
    Loaded full(file, tier, 2, kv::KvType::f32);
    const std::vector<TokenId> tokens = half.tokens(30);
    const double error = nmse(half.logits(tokens, 30), full.logits(tokens, 30));
    EXPECT_GT(error, 0) << kernels::to_string(tier);
    EXPECT_LT(error, 1e-3) << kernels::to_string(tier);
  }
}

TEST(Model, pooled_rows_sum_up_and_mark_their_role) {
  const std::shared_ptr<const gguf::File> file = shared_file(RandomModel::llama, gguf::TensorType::f16);
  for (const kernels::Tier tier : kernels::all_tiers()) {
    if (!kernels::is_available(tier)) continue;
    Loaded loaded(file, tier);
    const std::vector<TokenId> tokens = loaded.tokens(6);
    kv::PageTable pages(loaded.pool);
    ASSERT_TRUE(pages.grow_to(6));
    StepOutput output;
    const auto pooled = [&](std::uint32_t first, std::uint32_t count, kv::Role role) {
      StepPlan plan;
      plan.slices.push_back({std::span(tokens).subspan(first, count), first, &pages, role, Want::pooled});
      loaded.model->run(plan, output);
      EXPECT_TRUE(output.logits.empty());
      return output.pooled[0];
    };
    const std::vector<float> whole = pooled(0, 6, kv::Role::prefill);
    std::vector<float> sum(whole.size(), 0.0f);
    for (std::uint32_t i = 0; i < 6; ++i) {
      const std::vector<float> one = pooled(i, 1, kv::Role::decode);
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += one[d];
    }
    EXPECT_LE(nmse(sum, whole), 1e-10) << kernels::to_string(tier);
    EXPECT_EQ(loaded.pool.role(pages.pages()[0], 5), kv::Role::decode);
  }
}

TEST(Model, a_tier_this_machine_lacks_is_refused_by_name) {
  const gguf::File file = random_file(RandomModel::llama, gguf::TensorType::f32);
  kernels::WorkerPool workers(1);
  for (const kernels::Tier tier : kernels::all_tiers()) {
    if (kernels::is_available(tier)) continue;
    const Result<std::unique_ptr<Model>> model = Model::load(file, tier, workers);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find(kernels::to_string(tier)), std::string::npos);
  }
}

}  // namespace
}  // namespace stint::model
