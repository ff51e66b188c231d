#include "engine/engine_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/kernels/cpu_count.h"
#include "engine/kernels/worker_pool.h"
#include "engine/model/model.h"
#include "platform/base/limits.h"

namespace stint::engine {

namespace {

// Beyond the resident tokens: so many sequences may each leave their last page partly empty, or pause and keep theirs.
// Pages that are never used cost no memory.
constexpr std::uint32_t kSparePageCount = 64;
constexpr std::uint64_t kWorkingSizeBase = 48 * base::kMiB;  // tokenizer, template, threads, allocator

std::unexpected<Error> refuse(std::string message, std::string_view setting) {
  return fail(ErrorKind::invalid_request, std::move(message), std::string(setting));
}

Result<kernels::Tier> choose_tier(const EngineSettings& settings) {
  if (settings.kernel_tier == "auto") return kernels::best_tier();
  const std::optional<kernels::Tier> tier = kernels::parse_tier(settings.kernel_tier);
  if (tier && kernels::is_available(*tier)) return *tier;
  return refuse(fmt::format("engine.kernel_tier is \"{}\", which this machine cannot run; use auto or one of: {}.",
                            settings.kernel_tier, kernels::available_tier_names()),
                "engine.kernel_tier");
}

Result<kv::KvType> choose_kv_type(const EngineSettings& settings) {
  if (settings.kv_type == "f16") return kv::KvType::f16;
  if (settings.kv_type == "f32") return kv::KvType::f32;
  return refuse(fmt::format("engine.kv_type is \"{}\"; use f16 or f32.", settings.kv_type), "engine.kv_type");
}

Result<std::uint32_t> choose_context(const EngineSettings& settings, std::uint32_t trained_tokens) {
  if (settings.context_tokens == 0) return std::min(trained_tokens, kDefaultContextTokens);
  if (settings.context_tokens >= 2 && settings.context_tokens <= trained_tokens) return settings.context_tokens;
  return refuse(fmt::format("engine.context is {}; the model was trained for {} tokens, use 2 to {}.",
                            settings.context_tokens, trained_tokens, trained_tokens),
                "engine.context");
}

Result<void> check_counts(const EngineSettings& settings) {
  if (settings.max_resident_tokens == 0 || settings.max_resident_tokens > kResidentTokensMax) {
    return refuse(
        fmt::format("engine.max_resident_tokens is {}; use 1 to {}.", settings.max_resident_tokens, kResidentTokensMax),
        "engine.max_resident_tokens");
  }
  if (settings.step_token_budget == 0 || settings.step_token_budget > model::kStepTokensMax) {
    return refuse(
        fmt::format("engine.step_token_budget is {}; use 1 to {}.", settings.step_token_budget, model::kStepTokensMax),
        "engine.step_token_budget");
  }
  if (settings.thread_count <= kernels::kThreadCountMax) return {};
  return refuse(fmt::format("engine.threads is {}; use at most {}.", settings.thread_count, kernels::kThreadCountMax),
                "engine.threads");
}

// One float for each weight on the reference path; else a packed copy of about the file's size, whose source pages are
// given back. Activations: a handful of rows as wide as the widest layer, and logits for each sequence of a full step.
MemoryNeed estimate(const EnginePlan& plan, const model::Hyperparameters& hyperparameters, const gguf::File& file) {
  MemoryNeed need;
  const bool reference = plan.tier == kernels::Tier::reference;
  need.weights_size = reference ? plan.parameter_count * sizeof(float) : file.size();
  need.kv_size = plan.page_shape.page_size() * plan.page_count;
  constexpr std::uint64_t kLogitRows = 64;
  const std::uint64_t rows = std::uint64_t{plan.limits.step_token_budget} *
                             (6 * hyperparameters.embedding_size + 3 * hyperparameters.feed_forward_size);
  need.working_size =
      kWorkingSizeBase + sizeof(float) * (rows + kLogitRows * std::uint64_t{hyperparameters.vocabulary_count});
  return need;
}

}  // namespace

Result<EnginePlan> plan_engine(const EngineSettings& settings, const model::Hyperparameters& hyperparameters,
                               const gguf::File& file) {
  const Result<kernels::Tier> tier = choose_tier(settings);
  if (!tier) return std::unexpected(tier.error());
  const Result<kv::KvType> kv_type = choose_kv_type(settings);
  if (!kv_type) return std::unexpected(kv_type.error());
  const Result<std::uint32_t> context = choose_context(settings, hyperparameters.context_tokens);
  if (!context) return std::unexpected(context.error());
  if (const Result<void> checked = check_counts(settings); !checked) return std::unexpected(checked.error());

  EnginePlan plan;
  plan.tier = *tier;
  plan.thread_count = settings.thread_count != 0 ? settings.thread_count : kernels::cpu_count();
  plan.limits.step_token_budget = settings.step_token_budget;
  plan.limits.max_resident_tokens = settings.max_resident_tokens;
  plan.limits.context_tokens = *context;
  plan.limits.queued_count_max = kQueueCountMax;
  plan.page_shape = {hyperparameters.layer_count, hyperparameters.kv_head_count, hyperparameters.head_size, *kv_type};
  const std::uint32_t longest = std::max(settings.max_resident_tokens, *context);
  plan.page_count = (longest + kv::kPageTokens - 1) / kv::kPageTokens + kSparePageCount;
  for (const gguf::Tensor& tensor : file.tensors()) plan.parameter_count += tensor.element_count();
  plan.memory = estimate(plan, hyperparameters, file);
  return plan;
}

}  // namespace stint::engine
