#include "backends/local/engine_settings.h"

#include <array>

namespace stint::local {

namespace {

enum class TierChoice : std::uint8_t { automatic, reference, portable, avx2 };
constexpr std::array<std::string_view, 4> kTierNames = {"auto", "reference", "portable", "avx2"};

enum class KvChoice : std::uint8_t { f16, f32 };
constexpr std::array<std::string_view, 2> kKvNames = {"f16", "f32"};

constexpr std::uint32_t kThreadCountMax = 256;
constexpr std::uint32_t kContextTokensMax = 1u << 20;
constexpr std::uint32_t kStepTokensMin = 16;
constexpr std::uint32_t kStepTokensMax = 2048;

}  // namespace

engine::EngineSettings read_engine_settings(config::Section root) {
  config::Section section = root.section("engine");
  engine::EngineSettings settings;
  settings.model_path = section.string(
      "model",
      {.fallback = "smollm2-135m", .meaning = "The local model: a name from `stint pull` or the path of a GGUF"});
  settings.thread_count = section.u32(
      "threads",
      {.fallback = 0, .max = kThreadCountMax, .meaning = "Threads that compute; 0: as many as the CPU quota allows"});
  const auto tier = section.choice<TierChoice>("kernel_tier", kTierNames,
                                               {.meaning = "Kernels to use; auto: the fastest this CPU has"});
  settings.kernel_tier = kTierNames.at(static_cast<std::size_t>(tier));
  const auto kv = section.choice<KvChoice>("kv_type", kKvNames, {.meaning = "How keys and values are kept in memory"});
  settings.kv_type = kKvNames.at(static_cast<std::size_t>(kv));
  settings.max_resident_tokens = section.u32(
      "max_resident_tokens", {.fallback = settings.max_resident_tokens,
                              .min = 256,
                              .max = kContextTokensMax,
                              .meaning = "Tokens in memory of all running requests; a lone longer one may exceed it"});
  settings.context_tokens =
      section.u32("context", {.fallback = 0,
                              .max = kContextTokensMax,
                              .meaning = "Longest prompt and answer; 0: the model's own, at most 8192"});
  settings.step_token_budget =
      section.u32("step_token_budget", {.fallback = settings.step_token_budget,
                                        .min = kStepTokensMin,
                                        .max = kStepTokensMax,
                                        .meaning = "Tokens of one step: running answers first, then prompts"});
  return settings;
}

}  // namespace stint::local
