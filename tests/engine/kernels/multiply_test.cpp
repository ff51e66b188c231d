// The matrix product of every tier, weight type and odd shape, against sums in double.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/kernels/kernel_table.h"
#include "tests/engine/kernels/random_weights.h"
#include "tests/engine/kernels/tiers_under_test.h"

namespace stint::kernels {
namespace {

struct Shape {
  std::uint32_t rows;  // of weights
  std::uint32_t columns;
  std::uint32_t tokens;
};

ActivationRows activations(const KernelTable& table, std::uint32_t tokens, std::uint32_t columns, std::uint64_t seed) {
  ActivationRows rows;
  rows.resize(tokens, columns);
  const std::vector<float> values = random_floats(std::size_t{tokens} * columns, seed);
  for (std::uint32_t t = 0; t < tokens; ++t) {
    std::memcpy(rows.values(t), values.data() + std::size_t{t} * columns, columns * sizeof(float));
    table.quantize(rows.values(t), columns, rows.quantized(t));
  }
  return rows;
}

// What the integer kernels see of an activation, or the f32 value for dense ones.
double seen(const PackedMatrix& weights, const ActivationRows& rows, std::uint32_t token, std::uint32_t column) {
  if (is_dense(weights.layout())) return static_cast<double>(rows.values(token)[column]);
  return static_cast<double>(rows.quants(token)[column]) * static_cast<double>(rows.scales(token)[column / 32]);
}

struct Errors {
  double arithmetic = 0;    // against the quantised activations: rounding of f32 alone
  double quantisation = 0;  // against the f32 activations
};

// Normalised mean square errors over all outputs.
Errors errors(const RandomMatrix& matrix, const PackedMatrix& weights, const ActivationRows& rows,
              const std::vector<float>& out) {
  double energy = 0;
  Errors sums;
  for (std::uint32_t n = 0; n < matrix.row_count; ++n) {
    const std::vector<float> weight = matrix.row(n);
    for (std::uint32_t t = 0; t < rows.row_count(); ++t) {
      double exact = 0;
      double on_seen = 0;
      for (std::uint32_t c = 0; c < matrix.column_count; ++c) {
        exact += static_cast<double>(weight[c]) * static_cast<double>(rows.values(t)[c]);
        on_seen += static_cast<double>(weight[c]) * seen(weights, rows, t, c);
      }
      const auto got = static_cast<double>(out[std::size_t{t} * matrix.row_count + n]);
      energy += exact * exact;
      sums.arithmetic += (got - on_seen) * (got - on_seen);
      sums.quantisation += (got - exact) * (got - exact);
    }
  }
  return {sums.arithmetic / energy, sums.quantisation / energy};
}

PackedMatrix packed(const RandomMatrix& matrix) {
  PackedMatrix weights(matrix.type, matrix.row_count, matrix.column_count);
  weights.pack_panels(matrix.bytes.data(), matrix.stride, 0, weights.panel_count());
  return weights;
}

std::vector<float> product(const KernelTable& table, const PackedMatrix& weights, const ActivationRows& rows) {
  std::vector<float> out(std::size_t{rows.row_count()} * weights.row_count());
  table.multiply(weights, rows, 0, weights.panel_count(), out.data(), weights.row_count());
  return out;
}

TEST(Multiply, agrees_with_double_on_odd_shapes) {
  for (const KernelTable* table : tables_under_test()) {
    for (const WeightType type : kWeightTypes) {
      const std::uint32_t unit = block_shape(type).count;
      for (const Shape shape : {Shape{1, unit, 1}, Shape{7, unit * 3, 2}, Shape{8, unit * 2, 5}, Shape{9, unit * 5, 7},
                                Shape{45, unit * 7, 70}}) {
        const RandomMatrix matrix(type, shape.rows, shape.columns, 100 + shape.rows);
        const PackedMatrix weights = packed(matrix);
        const ActivationRows rows = activations(*table, shape.tokens, shape.columns, shape.tokens);
        const Errors e = errors(matrix, weights, rows, product(*table, weights, rows));
        EXPECT_LE(e.arithmetic, 1e-11) << to_string(table->tier) << " " << to_string(type) << " " << shape.rows;
        EXPECT_LE(e.quantisation, 5e-4) << to_string(table->tier) << " " << to_string(type) << " " << shape.rows;
      }
    }
  }
}

TEST(Multiply, a_rows_bits_do_not_depend_on_the_rows_beside_it) {
  constexpr std::uint32_t kTokens = 67;
  for (const KernelTable* table : tables_under_test()) {
    for (const WeightType type : kWeightTypes) {
      const RandomMatrix matrix(type, 20, 512, 5);
      const PackedMatrix weights = packed(matrix);
      const std::vector<float> all = product(*table, weights, activations(*table, kTokens, 512, 9));
      for (std::uint32_t count = 1; count <= 8; ++count) {
        const std::vector<float> few = product(*table, weights, activations(*table, count, 512, 9));
        EXPECT_EQ(std::memcmp(few.data(), all.data(), few.size() * sizeof(float)), 0)
            << to_string(table->tier) << " " << to_string(type) << " " << count;
      }
    }
  }
}

TEST(Multiply, panels_can_be_shared_out) {
  for (const KernelTable* table : tables_under_test()) {
    for (const WeightType type : kWeightTypes) {
      const RandomMatrix matrix(type, 43, 256, 6);
      const PackedMatrix weights = packed(matrix);
      const ActivationRows rows = activations(*table, 3, 256, 1);
      const std::vector<float> whole = product(*table, weights, rows);
      std::vector<float> parts(whole.size(), -1);
      for (std::uint32_t panel = 0; panel < weights.panel_count(); ++panel)
        table->multiply(weights, rows, panel, panel + 1, parts.data(), weights.row_count());
      EXPECT_EQ(parts, whole) << to_string(table->tier) << " " << to_string(type);
    }
  }
}

// The largest quants everywhere: 16-bit sums must not wrap.
TEST(Multiply, extreme_weights_and_activations_do_not_overflow) {
  for (const KernelTable* table : tables_under_test()) {
    for (const WeightType type : kWeightTypes) {
      if (is_dense(packed_layout(type))) continue;
      RandomMatrix matrix(type, 8, 256, 3);
      for (std::size_t at = 0; at < matrix.bytes.size(); at += block_shape(type).size) {
        std::byte* block = matrix.bytes.data() + at;
        const std::uint32_t size = block_shape(type).size;
        for (std::uint32_t i = 0; i < size; ++i)
          block[i] = type == WeightType::q8_0 ? std::byte{0x80} : std::byte{0xff};
        put_half(type == WeightType::q6_k ? block + 208 : block, 0.01f);
        if (type == WeightType::q4_1 || type == WeightType::q5_1 || type == WeightType::q4_k ||
            type == WeightType::q5_k)
          put_half(block + 2, 0.01f);
      }
      const PackedMatrix weights = packed(matrix);
      for (const float value : {1.0f, -1.0f}) {
        ActivationRows rows;
        rows.resize(5, 256);
        for (std::uint32_t t = 0; t < 5; ++t) {
          for (std::uint32_t c = 0; c < 256; ++c) rows.values(t)[c] = value;
          table->quantize(rows.values(t), 256, rows.quantized(t));
        }
        EXPECT_LE(errors(matrix, weights, rows, product(*table, weights, rows)).arithmetic, 1e-11)
            << to_string(table->tier) << " " << to_string(type);
      }
    }
  }
}

TEST(Multiply, nan_and_infinity_are_only_numbers) {
  for (const KernelTable* table : tables_under_test()) {
    for (const WeightType type : kWeightTypes) {
      RandomMatrix matrix(type, 9, 256, 4);
      for (std::byte& byte : matrix.bytes) byte = std::byte{0xff};
      const PackedMatrix weights = packed(matrix);
      ActivationRows rows = activations(*table, 3, 256, 2);
      rows.values(0)[5] = std::numeric_limits<float>::infinity();
      rows.values(1)[70] = std::numeric_limits<float>::quiet_NaN();
      for (std::uint32_t t = 0; t < 3; ++t) table->quantize(rows.values(t), 256, rows.quantized(t));
      EXPECT_EQ(product(*table, weights, rows).size(), 27u);
    }
  }
}

}  // namespace
}  // namespace stint::kernels
