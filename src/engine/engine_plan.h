// EnginePlan: the settings of an engine resolved against one model file: which tier, how many threads, how long a
// context, how many pages, how much memory. Pure but for asking what the CPU can do.
#pragma once

#include <cstdint>

#include "engine/engine.h"
#include "engine/gguf/file.h"
#include "engine/kernels/tier.h"
#include "engine/kv/page_pool.h"
#include "engine/memory_budget.h"
#include "engine/model/hyperparameters.h"
#include "engine/sched/limits.h"
#include "platform/base/result.h"

namespace stint::engine {

// Without a setting a model trained for more gets this much: KV memory grows with it, answers rarely do.
inline constexpr std::uint32_t kDefaultContextTokens = 8192;
inline constexpr std::uint32_t kResidentTokensMax = 1U << 22;

struct EnginePlan {
  kernels::Tier tier = kernels::Tier::portable;
  std::uint32_t thread_count = 1;
  sched::Limits limits;  // vocabulary_count is left to the driver
  kv::PageShape page_shape;
  std::uint32_t page_count = 0;
  std::uint64_t parameter_count = 0;
  MemoryNeed memory;
};

// Errors: invalid_request, naming the setting and what it may be.
Result<EnginePlan> plan_engine(const EngineSettings& settings, const model::Hyperparameters& hyperparameters,
                               const gguf::File& file);

}  // namespace stint::engine
