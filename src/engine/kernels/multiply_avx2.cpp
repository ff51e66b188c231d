// The matrix product of the AVX2 tier: a panel of 8 rows of weights against tiles of 1 to 4 rows of activations.
// Weights are unpacked once a tile; sums of a block are exact integers; blocks are added in f32 in order of columns,
// minimum first, so that a row's bits do not depend on the tile it came in.
#if defined(__x86_64__)

#include "engine/kernels/panel_format_u6k_avx2.h"
#include "engine/kernels/panel_formats_avx2.h"
#include "engine/kernels/tables_avx2.h"

namespace stint::kernels::avx2 {

namespace {

constexpr std::uint32_t kTileBlock = 32;  // rows of activations per pass over the weights: 32 * 576 bytes stay in L1

// Where the products of 8 weight rows go; the last panel may have fewer.
struct Output {
  float* first;
  std::size_t stride;
  std::uint32_t count;
};

inline void store(const Output& out, std::uint32_t row, __m256 values) {
  float* to = out.first + row * out.stride;
  if (out.count == kPanelRows) return _mm256_storeu_ps(to, values);
  alignas(32) float all[kPanelRows];
  _mm256_store_ps(all, values);
  for (std::uint32_t i = 0; i < out.count; ++i) to[i] = all[i];
}

// The quantised rows of one tile; row m's parts lie m strides behind the first's.
struct IntegerRows {
  const std::int8_t* quants;
  const float* scales;
  const float* sums;
  const std::int16_t* half_sums;
  std::size_t columns;
};

template <typename Format, int M>
inline void integer_tile(const std::byte* panel, const IntegerRows& rows, const Output& out, std::uint32_t first_row) {
  const std::size_t blocks = rows.columns / kBlockColumns;
  __m256 totals[M];
  for (int m = 0; m < M; ++m) totals[m] = _mm256_setzero_ps();
  for (std::size_t block = 0; block < blocks;) {
    const auto head = Format::head(panel);
    panel += Format::kHeadSize;
    for (std::uint32_t i = 0; i < Format::kBlocks; ++i, ++block, panel += Format::kBlockSize) {
      __m256i sums[M];
      Format::template product<M>(panel, rows.quants + block * kBlockColumns, rows.half_sums + 2 * block, rows.columns,
                                  sums);
      const Scales scales = Format::scales(head, panel);
      for (int m = 0; m < M; ++m) {
        const std::size_t at = m * blocks + block;
        if constexpr (Format::kHasMinimum)
          totals[m] = _mm256_fmadd_ps(scales.minimum, _mm256_broadcast_ss(rows.sums + at), totals[m]);
        const __m256 scale = _mm256_mul_ps(scales.scale, _mm256_broadcast_ss(rows.scales + at));
        totals[m] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[m]), scale, totals[m]);
      }
    }
  }
  for (std::uint32_t m = 0; m < M; ++m) store(out, first_row + m, totals[m]);
}

template <typename Format>
void integer_panel(const std::byte* panel, const ActivationRows& rows, std::uint32_t begin, std::uint32_t end,
                   const Output& out) {
  for (std::uint32_t row = begin; row < end;) {
    const IntegerRows tile{rows.quants(row), rows.scales(row), rows.sums(row), rows.half_sums(row),
                           rows.column_count()};
    const std::uint32_t count = end - row < Format::kTile ? end - row : Format::kTile;
    if (count == 4) {
      if constexpr (Format::kTile == 4) integer_tile<Format, 4>(panel, tile, out, row);
    } else if (count == 3) {
      integer_tile<Format, 3>(panel, tile, out, row);
    } else if (count == 2) {
      integer_tile<Format, 2>(panel, tile, out, row);
    } else {
      integer_tile<Format, 1>(panel, tile, out, row);
    }
    row += count;
  }
}

struct F32 {
  static constexpr std::size_t kSize = 4;
  static __m256 load(const std::byte* p) { return _mm256_loadu_ps(reinterpret_cast<const float*>(p)); }
};
struct F16 {
  static constexpr std::size_t kSize = 2;
  static __m256 load(const std::byte* p) { return load_halves(p); }
};
struct Bf16 {
  static constexpr std::size_t kSize = 2;
  static __m256 load(const std::byte* p) {
    const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
  }
};

// Dense weights: columns in order, one FMA each; P panels at once so that a single row has P chains in flight.
template <typename Element, int P, int M>
inline void dense_tile(const std::byte* const* panels, const float* rows, std::size_t columns, const Output* outs,
                       std::uint32_t first_row) {
  __m256 totals[P][M];
  for (int p = 0; p < P; ++p)
    for (int m = 0; m < M; ++m) totals[p][m] = _mm256_setzero_ps();
  for (std::size_t column = 0; column < columns; ++column) {
    __m256 weights[P];
    for (int p = 0; p < P; ++p) weights[p] = Element::load(panels[p] + column * kPanelRows * Element::kSize);
    for (int m = 0; m < M; ++m) {
      const __m256 value = _mm256_broadcast_ss(rows + m * columns + column);
      for (int p = 0; p < P; ++p) totals[p][m] = _mm256_fmadd_ps(weights[p], value, totals[p][m]);
    }
  }
  for (int p = 0; p < P; ++p)
    for (std::uint32_t m = 0; m < M; ++m) store(outs[p], first_row + m, totals[p][m]);
}

template <typename Element, int P>
void dense_panels(const std::byte* const* panels, const ActivationRows& rows, std::uint32_t begin, std::uint32_t end,
                  const Output* outs) {
  const std::size_t columns = rows.column_count();
  std::uint32_t row = begin;
  for (; row + 2 <= end; row += 2) dense_tile<Element, P, 2>(panels, rows.values(row), columns, outs, row);
  if (row < end) dense_tile<Element, P, 1>(panels, rows.values(row), columns, outs, row);
}

struct Product {
  const PackedMatrix& weights;
  const ActivationRows& rows;
  float* out;
  std::size_t stride;

  Output output(std::uint32_t panel) const {
    const std::uint32_t left = weights.row_count() - panel * kPanelRows;
    return {out + std::size_t{panel} * kPanelRows, stride, left < kPanelRows ? left : kPanelRows};
  }
};

template <typename Format>
void multiply_integer(const Product& p, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t row = 0; row < p.rows.row_count(); row += kTileBlock) {
    const std::uint32_t row_end = p.rows.row_count() - row < kTileBlock ? p.rows.row_count() : row + kTileBlock;
    for (std::uint32_t panel = begin; panel < end; ++panel)
      integer_panel<Format>(p.weights.panel(panel), p.rows, row, row_end, p.output(panel));
  }
}

template <typename Element>
void multiply_dense(const Product& p, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kTogether = 4;
  std::uint32_t panel = begin;
  for (; panel + kTogether <= end; panel += kTogether) {
    const std::byte* panels[kTogether];
    Output outs[kTogether];
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      panels[i] = p.weights.panel(panel + i);
      outs[i] = p.output(panel + i);
    }
    dense_panels<Element, kTogether>(panels, p.rows, 0, p.rows.row_count(), outs);
  }
  for (; panel < end; ++panel) {
    const std::byte* panels[1] = {p.weights.panel(panel)};
    const Output outs[1] = {p.output(panel)};
    dense_panels<Element, 1>(panels, p.rows, 0, p.rows.row_count(), outs);
  }
}

}  // namespace

void multiply(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t panel_begin,
              std::uint32_t panel_end, float* out, std::size_t out_stride) {
  const Product product{weights, rows, out, out_stride};
  switch (weights.layout()) {
    case PackedLayout::u4_min:
      return multiply_integer<U4Min>(product, panel_begin, panel_end);
    case PackedLayout::u5_min:
      return multiply_integer<U5Min>(product, panel_begin, panel_end);
    case PackedLayout::s8:
      return multiply_integer<S8>(product, panel_begin, panel_end);
    case PackedLayout::u4_k:
      return multiply_integer<U4K>(product, panel_begin, panel_end);
    case PackedLayout::u5_k:
      return multiply_integer<U5K>(product, panel_begin, panel_end);
    case PackedLayout::u6_k:
      return multiply_integer<U6K>(product, panel_begin, panel_end);
    case PackedLayout::f32:
      return multiply_dense<F32>(product, panel_begin, panel_end);
    case PackedLayout::f16:
      return multiply_dense<F16>(product, panel_begin, panel_end);
    case PackedLayout::bf16:
      return multiply_dense<Bf16>(product, panel_begin, panel_end);
  }
}

}  // namespace stint::kernels::avx2

#endif
