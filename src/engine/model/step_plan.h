// StepPlan: what one forward pass computes, decided by sched, carried out by Model::run. Plain data; borrows tokens and
// page tables from the sequences for the length of the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/kv/page_pool.h"

namespace stint::model {

using TokenId = std::uint32_t;

// Which rows of a slice produce output. pooled: every row's final hidden state is added to StepOutput's sum
// (embeddings).
enum class Want : std::uint8_t { nothing, last_logits, all_logits, pooled };

// Consecutive tokens of one sequence. Rows of a step are independent of the other slices: same numbers in any mix.
struct SequenceSlice {
  std::span<const TokenId> tokens;
  std::uint32_t position = 0;         // of tokens[0]; earlier positions are already in `pages`
  kv::PageTable* pages = nullptr;     // has room for position + tokens.size()
  kv::Role role = kv::Role::prefill;  // decides the path, never the size of the batch
  Want want = Want::nothing;
};

struct StepPlan {
  std::vector<SequenceSlice> slices;

  std::size_t token_count() const {
    std::size_t count = 0;
    for (const SequenceSlice& slice : slices) count += slice.tokens.size();
    return count;
  }
};

// Buffers reused from step to step; row r of `logits` belongs to the r-th wanted row in order of the plan.
struct StepOutput {
  std::vector<float> logits;                // [wanted rows][vocabulary]
  std::vector<std::uint32_t> row_of_slice;  // first logits row of each slice; kNoRow if it wants none
  std::vector<std::vector<float>>
      pooled;  // per slice: sum over its rows of the normalised final hidden state, or empty

  static constexpr std::uint32_t kNoRow = 0xffffffff;
};

}  // namespace stint::model
