// Attention in plain C++: one query row after another, keys in blocks of a page with a running maximum (Milakov and
// Gimelshein, "Online normalizer calculation for softmax", 2018).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/attention_job.h"
#include "engine/kernels/half.h"

namespace stint::kernels {

namespace {

float element(ElementType type, const std::byte* from, std::size_t index) {
  if (type == ElementType::f32) {
    float value = 0;
    std::memcpy(&value, from + 4 * index, sizeof(value));
    return value;
  }
  std::uint16_t half = 0;
  std::memcpy(&half, from + 2 * index, sizeof(half));
  return f32_from_f16(half);
}

struct RunningSoftmax {
  float highest = -std::numeric_limits<float>::infinity();
  float total = 0;
  float sums[kAttentionHeadMax] = {};
};

// Positions [begin, end) of block `block`, counted from its start.
void add_block(const AttentionJob& job, const AttentionRow& row, std::uint32_t block, std::uint32_t begin,
               std::uint32_t end, RunningSoftmax& state) {
  const std::byte* keys = job.keys + job.page_stride * job.pages[block];
  const std::byte* values = job.values + job.page_stride * job.pages[block];
  float scores[kAttentionBlock] = {};
  float highest = state.highest;
  for (std::uint32_t p = begin; p < end; ++p) {
    for (std::size_t d = 0; d < job.head_size; ++d)
      scores[p] += row.query[d] * job.scale * element(job.type, keys, d * kAttentionBlock + p);
    highest = std::max(highest, scores[p]);
  }
  const float correction = std::exp(state.highest - highest);
  state.highest = highest;
  state.total *= correction;
  for (std::uint32_t d = 0; d < job.head_size; ++d) state.sums[d] *= correction;
  for (std::uint32_t p = begin; p < end; ++p) {
    const float weight = std::exp(scores[p] - highest);
    state.total += weight;
    for (std::size_t d = 0; d < job.head_size; ++d)
      state.sums[d] += weight * element(job.type, values, p * job.head_size + d);
  }
}

}  // namespace

void attend_portable(const AttentionJob& job) {
  for (std::uint32_t i = 0; i < job.row_count; ++i) {
    const AttentionRow& row = job.rows[i];
    RunningSoftmax state;
    for (std::uint32_t block = row.begin / kAttentionBlock; block * kAttentionBlock < row.end; ++block) {
      const std::uint32_t first = block * kAttentionBlock;
      add_block(job, row, block, std::max(row.begin, first) - first, std::min(row.end - first, kAttentionBlock), state);
    }
    for (std::uint32_t d = 0; d < job.head_size; ++d) row.out[d] = state.sums[d] / state.total;
  }
}

}  // namespace stint::kernels
