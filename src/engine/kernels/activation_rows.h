// ActivationRows: the inputs of a matrix product, a row a token, once as f32 and once as 8-bit integers with a scale
// for each 32 columns, quantised once and read by every matrix that takes this input. Owns its memory; grows, never
// shrinks. Rows may be written by different workers at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stint::kernels {

// The largest magnitude of a block becomes one of these numbers: of the four grids the one with the least squared error
// is taken. Against 127 alone that removes a sixth of the error at the cost of a few percent of a step.
inline constexpr float kQuantGrids[] = {127.0f, 125.9f, 124.8f, 123.7f};

// One row quantised: value = scale * quant, |quant| <= 127. Borrows.
struct QuantizedRow {
  std::int8_t* quants = nullptr;      // [columns]
  float* scales = nullptr;            // [columns / 32]
  float* sums = nullptr;              // [columns / 32]: scale * sum of the block's quants, for layouts with minimums
  std::int16_t* half_sums = nullptr;  // [columns / 16]: sum of 16 quants, for layouts with two scales a block
};

class ActivationRows {
 public:
  // Columns beyond the last multiple of 32 exist in f32 only: integer layouts never have any.
  void resize(std::uint32_t row_count, std::uint32_t column_count) {
    row_count_ = row_count;
    column_count_ = column_count;
    const std::size_t blocks = block_count() * std::size_t{row_count};
    grow(values_, std::size_t{row_count} * column_count);
    grow(quants_, blocks * 32);
    grow(scales_, blocks);
    grow(sums_, blocks);
    grow(half_sums_, blocks * 2);
  }

  std::uint32_t row_count() const { return row_count_; }
  std::uint32_t column_count() const { return column_count_; }
  std::uint32_t block_count() const { return column_count_ / 32; }

  float* values(std::uint32_t row) { return values_.data() + std::size_t{row} * column_count_; }
  const float* values(std::uint32_t row) const { return values_.data() + std::size_t{row} * column_count_; }

  QuantizedRow quantized(std::uint32_t row) {
    const std::size_t block = std::size_t{row} * block_count();
    return {quants_.data() + block * 32, scales_.data() + block, sums_.data() + block, half_sums_.data() + block * 2};
  }
  const std::int8_t* quants(std::uint32_t row) const { return quants_.data() + std::size_t{row} * block_count() * 32; }
  const float* scales(std::uint32_t row) const { return scales_.data() + std::size_t{row} * block_count(); }
  const float* sums(std::uint32_t row) const { return sums_.data() + std::size_t{row} * block_count(); }
  const std::int16_t* half_sums(std::uint32_t row) const {
    return half_sums_.data() + std::size_t{row} * block_count() * 2;
  }

 private:
  template <typename T>
  static void grow(std::vector<T>& values, std::size_t count) {
    if (values.size() < count) values.resize(count);
  }

  std::uint32_t row_count_ = 0;
  std::uint32_t column_count_ = 0;
  std::vector<float> values_;
  std::vector<std::int8_t> quants_;
  std::vector<float> scales_;
  std::vector<float> sums_;
  std::vector<std::int16_t> half_sums_;
};

}  // namespace stint::kernels
