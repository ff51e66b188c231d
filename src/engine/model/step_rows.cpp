#include "engine/model/step_rows.h"

#include "engine/model/model.h"
#include "platform/base/assert.h"

namespace stint::model {

void StepRows::assign(const StepPlan& plan, std::uint32_t vocabulary_count, std::uint32_t embedding_size,
                      StepOutput& output) {
  plan_ = &plan;
  tokens_.clear();
  positions_.clear();
  slice_of_row_.clear();
  logit_rows_.clear();
  pooled_rows_.clear();
  output.row_of_slice.assign(plan.slices.size(), StepOutput::kNoRow);
  output.pooled.resize(plan.slices.size());
  for (std::uint32_t index = 0; index < plan.slices.size(); ++index) {
    const SequenceSlice& slice = plan.slices[index];
    STINT_ASSERT(!slice.tokens.empty() && slice.pages != nullptr);
    STINT_ASSERT(slice.position + slice.tokens.size() <= slice.pages->token_capacity());
    output.pooled[index].assign(slice.want == Want::pooled ? embedding_size : 0, 0.0f);
    for (std::uint32_t i = 0; i < slice.tokens.size(); ++i) {
      const std::uint32_t position = slice.position + i;
      STINT_ASSERT(slice.tokens[i] < vocabulary_count);
      const bool last = i + 1 == slice.tokens.size();
      if (slice.want == Want::all_logits || (slice.want == Want::last_logits && last)) {
        if (output.row_of_slice[index] == StepOutput::kNoRow)
          output.row_of_slice[index] = static_cast<std::uint32_t>(logit_rows_.size());
        logit_rows_.push_back(count());
      }
      if (slice.want == Want::pooled) pooled_rows_.push_back(count());
      slice.pages->pool().set_role(slice.pages->pages()[position / kv::kPageTokens], position % kv::kPageTokens,
                                   slice.role);
      tokens_.push_back(slice.tokens[i]);
      positions_.push_back(position);
      slice_of_row_.push_back(index);
    }
  }
  STINT_ASSERT(count() >= 1 && count() <= kStepTokensMax);
  output.logits.resize(logit_rows_.size() * vocabulary_count);
}

}  // namespace stint::model
