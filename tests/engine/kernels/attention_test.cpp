// Attention of every tier against a plain softmax in double, and its independence of how rows are tiled and prompts
// cut.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/kernels/attention_job.h"
#include "engine/kernels/half.h"
#include "tests/engine/kernels/random_weights.h"
#include "tests/engine/kernels/tiers_under_test.h"

namespace stint::kernels {
namespace {

// One KV head over pages in shuffled order; positions not yet written hold NaN.
struct Memory {
  ElementType type;
  std::uint32_t head_size;
  std::uint32_t count;
  std::vector<std::uint32_t> pages;
  std::size_t half_size;
  std::vector<std::byte> bytes;

  Memory(ElementType element_type, std::uint32_t size, std::uint32_t positions)
      : type(element_type), head_size(size), count(positions), half_size(kAttentionBlock * size * width()) {
    const std::uint32_t page_count = (count + kAttentionBlock - 1) / kAttentionBlock;
    for (std::uint32_t i = 0; i < page_count; ++i) pages.push_back((i * 5 + 2) % page_count);
    if (page_count % 5 == 0) std::reverse(pages.begin(), pages.end());
    bytes.resize(page_count * 2 * half_size);
    for (std::uint32_t p = 0; p < page_count * kAttentionBlock; ++p) {
      const std::vector<float> row = random_floats(2 * head_size, p + 1);
      for (std::uint32_t d = 0; d < head_size; ++d) {
        put(key_index(p, d), p < count ? row[d] * 3 : std::numeric_limits<float>::quiet_NaN());
        put(value_index(p, d), p < count ? row[head_size + d] : std::numeric_limits<float>::quiet_NaN());
      }
    }
  }

  std::size_t width() const { return type == ElementType::f16 ? 2 : 4; }
  std::size_t page_at(std::uint32_t p) const { return pages[p / kAttentionBlock] * 2 * half_size; }
  std::size_t key_index(std::uint32_t p, std::uint32_t d) const {
    return page_at(p) + (std::size_t{d} * kAttentionBlock + p % kAttentionBlock) * width();
  }
  std::size_t value_index(std::uint32_t p, std::uint32_t d) const {
    return page_at(p) + half_size + (std::size_t{p % kAttentionBlock} * head_size + d) * width();
  }
  void put(std::size_t at, float value) {
    if (type == ElementType::f16) return put_half(bytes.data() + at, value);
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  }
  double get(std::size_t at) const {
    if (type == ElementType::f32) {
      float value = 0;
      std::memcpy(&value, bytes.data() + at, sizeof(value));
      return static_cast<double>(value);
    }
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + at, sizeof(half));
    return static_cast<double>(f32_from_f16(half));
  }

  AttentionJob job() const {
    AttentionJob job;
    job.type = type;
    job.head_size = head_size;
    job.scale = 0.3f;
    job.keys = bytes.data();
    job.values = bytes.data() + half_size;
    job.pages = pages.data();
    job.page_stride = 2 * half_size;
    return job;
  }
};

std::vector<double> expected(const Memory& memory, const float* query, std::uint32_t begin, std::uint32_t end) {
  std::vector<double> weights;
  double highest = -1e300;
  for (std::uint32_t p = begin; p < end; ++p) {
    double score = 0;
    for (std::uint32_t d = 0; d < memory.head_size; ++d)
      score += static_cast<double>(query[d]) * memory.get(memory.key_index(p, d)) * static_cast<double>(0.3f);
    weights.push_back(score);
    highest = std::max(highest, score);
  }
  double total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - highest);
  std::vector<double> out(memory.head_size, 0.0);
  for (std::uint32_t p = begin; p < end; ++p)
    for (std::uint32_t d = 0; d < memory.head_size; ++d)
      out[d] += weights[p - begin] / total * memory.get(memory.value_index(p, d));
  return out;
}

// Row i of a tile sees positions up to end - i % 3, like tokens that follow each other.
void set_rows(AttentionJob& job, const std::vector<float>& queries, std::vector<float>& out, std::uint32_t first,
              std::uint32_t count, std::uint32_t window, std::uint32_t end) {
  job.row_count = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = first + i;
    const std::uint32_t row_end = end - (5 - row) % 3 * std::min(end - 1, 2U) / 2;
    const std::uint32_t begin = window != 0 && row_end > window ? row_end - window : 0;
    job.rows[i] = {queries.data() + row * job.head_size, out.data() + row * job.head_size, begin, row_end};
  }
}

class Attention : public ::testing::TestWithParam<ElementType> {};

TEST_P(Attention, agrees_with_double_on_all_lengths_and_windows) {
  for (const KernelTable* table : tables_under_test()) {
    for (const std::uint32_t head_size : {8U, 20U, 64U, 256U}) {
      const std::vector<float> queries = random_floats(std::size_t{6} * head_size, head_size);
      for (const std::uint32_t end : {1U, 2U, 15U, 16U, 17U, 33U, 100U}) {
        const Memory memory(GetParam(), head_size, end);
        for (const std::uint32_t window : {0U, 1U, 16U, 37U}) {
          std::vector<float> out(queries.size());
          AttentionJob job = memory.job();
          set_rows(job, queries, out, 0, 6, window, end);
          table->attend(job);
          for (std::uint32_t r = 0; r < 6; ++r) {
            const std::vector<double> want = expected(memory, job.rows[r].query, job.rows[r].begin, job.rows[r].end);
            for (std::uint32_t d = 0; d < head_size; ++d)
              ASSERT_NEAR(job.rows[r].out[d], want[d], 2e-5)
                  << to_string(table->tier) << " end " << end << " window " << window;
          }
        }
      }
    }
  }
}

TEST_P(Attention, a_rows_bits_do_not_depend_on_its_tile) {
  for (const KernelTable* table : tables_under_test()) {
    const Memory memory(GetParam(), 64, 90);
    const std::vector<float> queries = random_floats(6 * 64, 3);
    std::vector<float> whole(queries.size());
    AttentionJob job = memory.job();
    set_rows(job, queries, whole, 0, 6, 40, 90);
    table->attend(job);
    for (std::uint32_t size = 1; size <= 5; ++size) {
      std::vector<float> cut(queries.size());
      for (std::uint32_t first = 0; first < 6; first += size) {
        set_rows(job, queries, cut, first, std::min(size, 6 - first), 40, 90);
        table->attend(job);
      }
      EXPECT_EQ(std::memcmp(cut.data(), whole.data(), cut.size() * sizeof(float)), 0)
          << to_string(table->tier) << " " << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Attention, ::testing::Values(ElementType::f16, ElementType::f32));

}  // namespace
}  // namespace stint::kernels
