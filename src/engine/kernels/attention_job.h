// AttentionJob: softmax(q . k) v of a few query rows that read the same keys and values, over paged memory. Borrows
// everything. Plain data. Keys and values are taken in blocks of kAttentionBlock positions in order of position, blocks
// cut at absolute positions, so that a row's result does not depend on how its prompt was cut into steps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stint::kernels {

inline constexpr std::uint32_t kAttentionBlock = 16;     // positions of a page
inline constexpr std::uint32_t kAttentionRowsMax = 6;    // as many as keep scores and sums in 16 registers
inline constexpr std::uint32_t kAttentionHeadMax = 512;  // elements of a head

enum class ElementType : std::uint8_t { f16, f32 };

// One head of one token: sees positions [begin, end), begin < end.
struct AttentionRow {
  const float* query = nullptr;  // [head_size]
  float* out = nullptr;          // [head_size]
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct AttentionJob {
  ElementType type = ElementType::f16;
  std::uint32_t head_size = 0;  // even
  float scale = 1;              // factor of q . k
  // Block b of positions lies at keys + page_stride * pages[b], as [head_size][kAttentionBlock], and at
  // values + page_stride * pages[b], as [kAttentionBlock][head_size].
  const std::byte* keys = nullptr;
  const std::byte* values = nullptr;
  const std::uint32_t* pages = nullptr;
  std::size_t page_stride = 0;
  AttentionRow rows[kAttentionRowsMax];
  std::uint32_t row_count = 0;
};

}  // namespace stint::kernels
