// StepRows: a StepPlan flattened into the rows that the matrices see, one a token, slices one after another, and the
// rows that leave as output. Reused from step to step; borrows the plan for the length of the step. Engine driver only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/step_plan.h"

namespace stint::model {

class StepRows {
 public:
  // Checks the plan (asserts: a plan is ours), sizes `output` and writes the rows' roles into their pages.
  void assign(const StepPlan& plan, std::uint32_t vocabulary_count, std::uint32_t embedding_size, StepOutput& output);

  std::uint32_t count() const { return static_cast<std::uint32_t>(tokens_.size()); }
  TokenId token(std::uint32_t row) const { return tokens_[row]; }
  std::span<const std::uint32_t> positions() const { return positions_; }
  std::uint32_t slice_index(std::uint32_t row) const { return slice_of_row_[row]; }
  const SequenceSlice& slice(std::uint32_t row) const { return plan_->slices[slice_of_row_[row]]; }

  // Rows whose logits are wanted, in order of the plan.
  std::span<const std::uint32_t> logit_rows() const { return logit_rows_; }
  // Rows that are added to the pooled output of their slice.
  std::span<const std::uint32_t> pooled_rows() const { return pooled_rows_; }

 private:
  const StepPlan* plan_ = nullptr;
  std::vector<TokenId> tokens_;
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> slice_of_row_;
  std::vector<std::uint32_t> logit_rows_;
  std::vector<std::uint32_t> pooled_rows_;
};

}  // namespace stint::model
