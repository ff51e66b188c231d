// memory_budget: whether a model fits the memory of this machine, asked before loading, so that the answer is a
// sentence and not the kernel's OOM killer. Reads /proc and /sys; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/result.h"

namespace stint::engine {

struct MemoryNeed {
  std::uint64_t weights_size = 0;
  std::uint64_t kv_size = 0;
  std::uint64_t working_size = 0;  // activations, logits, tokenizer
};

// Bytes that may still be used: MemAvailable, cut to what the cgroup v2 limits of this process's group and of all above
// it leave (page cache counts as free: it gives way). nullopt if unknown. `root` is "/" but in tests.
std::optional<std::uint64_t> available_memory(const std::string& root);

// Error unavailable: "needs X MB but only Y MB are available".
Result<void> check_memory(const MemoryNeed& need, std::optional<std::uint64_t> available);

}  // namespace stint::engine
