// Attention of the AVX2 tier: up to six query rows at once over the blocks of a page. Keys lie with the 16 positions of
// a block side by side, so scores come out as two vectors a row without horizontal sums; keys and values are read and
// converted once for all rows. Running maximum per row (Milakov and Gimelshein, 2018). Every sum of a row runs over d,
// or over positions, in order, whatever rows share its tile.
#if defined(__x86_64__)

#include <immintrin.h>

#include "engine/kernels/exp_avx2.h"
#include "engine/kernels/tables_avx2.h"

namespace stint::kernels::avx2 {

namespace {

constexpr std::uint32_t kLanes = 8;
const float kMinusInfinity = -__builtin_inff();

template <ElementType Type>
inline __m256 load_eight(const std::byte* base, std::size_t index) {
  if constexpr (Type == ElementType::f16) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(base + 2 * index)));
  } else {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(base + 4 * index));
  }
}

inline float highest_lane(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

inline float sum_of_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

// Lanes whose position, counted from the start of a block, lies in [begin, end).
inline __m256 lanes_between(std::int32_t begin, std::int32_t end, int half) {
  const __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(8 * half));
  const __m256i below_end = _mm256_cmpgt_epi32(_mm256_set1_epi32(end), lane);
  const __m256i below_begin = _mm256_cmpgt_epi32(_mm256_set1_epi32(begin), lane);
  return _mm256_castsi256_ps(_mm256_andnot_si256(below_begin, below_end));
}

template <ElementType Type, int R>
class Tile {
 public:
  explicit Tile(const AttentionJob& job) : job_(job) {
    for (int r = 0; r < R; ++r) {
      for (std::uint32_t d = 0; d < job.head_size; ++d) {
        queries_[r][d] = job.rows[r].query[d] * job.scale;
        sums_[r][d] = 0;
      }
      begin_ = job.rows[r].begin < begin_ ? job.rows[r].begin : begin_;
      end_ = job.rows[r].end > end_ ? job.rows[r].end : end_;
    }
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      highest_[lane] = kMinusInfinity;
      totals_[lane] = 0;
    }
  }

  void run() {
    for (std::uint32_t block = begin_ / kAttentionBlock; block * kAttentionBlock < end_; ++block) {
      const std::size_t offset = job_.page_stride * job_.pages[block];
      score(job_.keys + offset);
      weigh(static_cast<std::int32_t>(block * kAttentionBlock));
      const std::uint32_t left = end_ - block * kAttentionBlock;
      add_values(job_.values + offset, left < kAttentionBlock ? left : kAttentionBlock);
    }
    for (int r = 0; r < R; ++r)
      for (std::uint32_t d = 0; d < job_.head_size; ++d) job_.rows[r].out[d] = sums_[r][d] / totals_[r];
  }

 private:
  void score(const std::byte* keys) {
    __m256 scores[R][2];
    for (int r = 0; r < R; ++r) scores[r][0] = scores[r][1] = _mm256_setzero_ps();
    for (std::uint32_t d = 0; d < job_.head_size; ++d) {
      const __m256 low = load_eight<Type>(keys, std::size_t{d} * kAttentionBlock);
      const __m256 high = load_eight<Type>(keys, std::size_t{d} * kAttentionBlock + kLanes);
      for (int r = 0; r < R; ++r) {
        const __m256 query = _mm256_broadcast_ss(&queries_[r][d]);
        scores[r][0] = _mm256_fmadd_ps(low, query, scores[r][0]);
        scores[r][1] = _mm256_fmadd_ps(high, query, scores[r][1]);
      }
    }
    for (int r = 0; r < R; ++r) {
      _mm256_store_ps(weights_[r], scores[r][0]);
      _mm256_store_ps(weights_[r] + kLanes, scores[r][1]);
    }
  }

  // Scores become weights relative to the new maximum; corrections_ bring older sums to it.
  void weigh(std::int32_t first_position) {
    alignas(32) float shifts[kLanes];
    const __m256 before = _mm256_load_ps(highest_);
    __m256 valid[R][2];
    for (int r = 0; r < R; ++r) {
      const std::int32_t begin = static_cast<std::int32_t>(job_.rows[r].begin) - first_position;
      const std::int32_t end = static_cast<std::int32_t>(job_.rows[r].end) - first_position;
      __m256 highest = _mm256_set1_ps(highest_[r]);
      for (int half = 0; half < 2; ++half) {
        valid[r][half] = lanes_between(begin, end, half);
        const __m256 scores = _mm256_load_ps(weights_[r] + kLanes * static_cast<std::uint32_t>(half));
        highest = _mm256_max_ps(highest, _mm256_blendv_ps(_mm256_set1_ps(kMinusInfinity), scores, valid[r][half]));
      }
      highest_[r] = highest_lane(highest);
      // A row that has seen nothing yet: any finite shift will do, its weights are masked to zero.
      shifts[r] = highest_[r] == kMinusInfinity ? 0 : highest_[r];
    }
    for (std::uint32_t lane = R; lane < kLanes; ++lane) shifts[lane] = 0;
    _mm256_store_ps(corrections_, exp(_mm256_sub_ps(before, _mm256_load_ps(shifts))));
    for (int r = 0; r < R; ++r) {
      const __m256 shift = _mm256_set1_ps(shifts[r]);
      __m256 both = _mm256_setzero_ps();
      for (int half = 0; half < 2; ++half) {
        float* scores = weights_[r] + kLanes * static_cast<std::uint32_t>(half);
        const __m256 weights = _mm256_and_ps(valid[r][half], exp(_mm256_sub_ps(_mm256_load_ps(scores), shift)));
        _mm256_store_ps(scores, weights);
        both = _mm256_add_ps(both, weights);
      }
      totals_[r] = totals_[r] * corrections_[r] + sum_of_lanes(both);
    }
  }

  // Vectors of d taken together, so that few rows still have enough independent sums in flight.
  static constexpr std::uint32_t kTogether = R >= 2 ? 2 : 4;

  void add_values(const std::byte* values, std::uint32_t count) {
    std::uint32_t d = 0;
    for (; d + kLanes * kTogether <= job_.head_size; d += kLanes * kTogether)
      add_values_at<kTogether>(values, count, d);
    for (; d < job_.head_size; d += kLanes) add_values_at<1>(values, count, d);
  }

  template <std::uint32_t Vectors>
  void add_values_at(const std::byte* values, std::uint32_t count, std::uint32_t d) {
    __m256 sums[R][Vectors];
    for (int r = 0; r < R; ++r)
      for (std::uint32_t v = 0; v < Vectors; ++v)
        sums[r][v] = _mm256_mul_ps(_mm256_load_ps(sums_[r] + d + kLanes * v), _mm256_broadcast_ss(corrections_ + r));
    for (std::uint32_t p = 0; p < count; ++p) {
      __m256 value[Vectors];
      for (std::uint32_t v = 0; v < Vectors; ++v)
        value[v] = load_eight<Type>(values, std::size_t{p} * job_.head_size + d + kLanes * v);
      for (int r = 0; r < R; ++r) {
        const __m256 weight = _mm256_broadcast_ss(&weights_[r][p]);
        for (std::uint32_t v = 0; v < Vectors; ++v) sums[r][v] = _mm256_fmadd_ps(value[v], weight, sums[r][v]);
      }
    }
    for (int r = 0; r < R; ++r)
      for (std::uint32_t v = 0; v < Vectors; ++v) _mm256_store_ps(sums_[r] + d + kLanes * v, sums[r][v]);
  }

  const AttentionJob& job_;
  std::uint32_t begin_ = 0xffffffff;
  std::uint32_t end_ = 0;
  alignas(32) float queries_[R][kAttentionHeadMax];
  alignas(32) float sums_[R][kAttentionHeadMax];
  alignas(32) float weights_[R][kAttentionBlock];
  alignas(32) float highest_[kLanes];
  alignas(32) float corrections_[kLanes];
  float totals_[kLanes];
};

template <ElementType Type>
void attend_typed(const AttentionJob& job) {
  switch (job.row_count) {
    case 1:
      return Tile<Type, 1>(job).run();
    case 2:
      return Tile<Type, 2>(job).run();
    case 3:
      return Tile<Type, 3>(job).run();
    case 4:
      return Tile<Type, 4>(job).run();
    case 5:
      return Tile<Type, 5>(job).run();
    case 6:
      return Tile<Type, 6>(job).run();
    default:
      return;
  }
}

}  // namespace

void attend(const AttentionJob& job) {
  if (job.head_size % kLanes != 0) return portable_kernels().attend(job);
  if (job.type == ElementType::f16) return attend_typed<ElementType::f16>(job);
  attend_typed<ElementType::f32>(job);
}

}  // namespace stint::kernels::avx2

#endif
