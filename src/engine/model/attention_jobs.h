// AttentionJobs: the attention of one step cut into kernel jobs: for every slice and KV head, tiles of up to
// kAttentionRowsMax (token, query head) rows that read the same keys and values. The list is made once a step; jobs of
// one layer are independent, so workers take them in turn. Engine driver only while assign runs; reading is
// thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/attention_job.h"
#include "engine/model/hyperparameters.h"
#include "engine/model/step_rows.h"

namespace stint::model {

class AttentionJobs {
 public:
  void assign(const Hyperparameters& h, const StepRows& rows);

  std::uint32_t count() const { return static_cast<std::uint32_t>(tiles_.size()); }

  // Job `index` in layer `layer`; queries and outputs are [row][head_count * head_size].
  kernels::AttentionJob job(std::uint32_t index, std::uint32_t layer, const float* queries, float* outputs) const;

 private:
  // Rows `first` and following of one KV head, counted (row of the slice) * group + (query head of the group).
  struct Tile {
    std::uint32_t first_row;  // of the slice, in the step
    std::uint32_t kv_head;
    std::uint32_t first;
    std::uint32_t count;
  };

  const Hyperparameters* h_ = nullptr;
  const StepRows* rows_ = nullptr;
  std::vector<Tile> tiles_;
};

}  // namespace stint::model
