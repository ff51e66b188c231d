#include "engine/model/attention_jobs.h"

#include <algorithm>

namespace stint::model {

static_assert(kernels::kAttentionBlock == kv::kPageTokens);
static_assert(kernels::kAttentionHeadMax == kHeadSizeMax);

void AttentionJobs::assign(const Hyperparameters& h, const StepRows& rows) {
  h_ = &h;
  rows_ = &rows;
  tiles_.clear();
  const std::uint32_t group = h.head_count / h.kv_head_count;
  for (std::uint32_t first_row = 0; first_row < rows.count();) {
    const auto row_count = static_cast<std::uint32_t>(rows.slice(first_row).tokens.size());
    // Long tiles first in position order, KV heads innermost: neighbours differ little, so taking turns is fair.
    for (std::uint32_t first = 0; first < row_count * group; first += kernels::kAttentionRowsMax)
      for (std::uint32_t kv_head = 0; kv_head < h.kv_head_count; ++kv_head)
        tiles_.push_back({first_row, kv_head, first, std::min(kernels::kAttentionRowsMax, row_count * group - first)});
    first_row += row_count;
  }
}

kernels::AttentionJob AttentionJobs::job(std::uint32_t index, std::uint32_t layer, const float* queries,
                                         float* outputs) const {
  const Tile& tile = tiles_[index];
  const kv::PageTable& table = *rows_->slice(tile.first_row).pages;
  const kv::PagePool& pool = table.pool();
  const std::size_t head_offset = pool.shape().half_size() / h_->kv_head_count * tile.kv_head;
  kernels::AttentionJob job;
  job.type = pool.shape().type == kv::KvType::f16 ? kernels::ElementType::f16 : kernels::ElementType::f32;
  job.head_size = h_->head_size;
  job.scale = h_->attention_scale;
  job.keys = pool.keys(0, layer) + head_offset;
  job.values = pool.values(0, layer) + head_offset;
  job.pages = table.pages().data();
  job.page_stride = pool.shape().page_size();
  job.row_count = tile.count;
  const std::uint32_t group = h_->head_count / h_->kv_head_count;
  for (std::uint32_t i = 0; i < tile.count; ++i) {
    const std::uint32_t row = tile.first_row + (tile.first + i) / group;
    const std::uint32_t head = tile.kv_head * group + (tile.first + i) % group;
    const std::size_t at = std::size_t{row} * h_->query_size() + std::size_t{head} * h_->head_size;
    const std::uint32_t end = rows_->positions()[row] + 1;
    const std::uint32_t begin = h_->is_windowed(layer) && end > h_->window_tokens ? end - h_->window_tokens : 0;
    job.rows[i] = {queries + at, outputs + at, begin, end};
  }
  return job;
}

}  // namespace stint::model
