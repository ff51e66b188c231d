#include "engine/model/step_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/model/attention_jobs.h"
#include "engine/model/kv_element.h"

namespace stint::model {
namespace {

constexpr Hyperparameters kSmall{.layer_count = 1,
                                 .embedding_size = 4,
                                 .head_count = 6,
                                 .kv_head_count = 2,
                                 .head_size = 4,
                                 .attention_scale = 0.5f,
                                 .window_tokens = 8,
                                 .window_pattern = 2};

struct Fixture {
  kv::PagePool pool{{1, 2, 4, kv::KvType::f32}, 8};
  kv::PageTable first{pool};
  kv::PageTable second{pool};
  std::vector<TokenId> tokens{5, 6, 7, 8};
  StepPlan plan;
  StepOutput output;
  StepRows rows;

  Fixture() {
    first.grow_to(20);
    second.grow_to(20);
    plan.slices.push_back({std::span(tokens).first(3), 14, &first, kv::Role::prefill, Want::last_logits});
    plan.slices.push_back({std::span(tokens).last(1), 9, &second, kv::Role::decode, Want::all_logits});
    plan.slices.push_back({std::span(tokens).first(2), 0, &second, kv::Role::prefill, Want::pooled});
    rows.assign(plan, 10, 4, output);
  }
};

TEST(StepRows, lays_slices_one_after_another) {
  const Fixture f;
  ASSERT_EQ(f.rows.count(), 6u);
  EXPECT_EQ(f.rows.token(2), 7u);
  EXPECT_EQ(f.rows.token(3), 8u);
  EXPECT_EQ(std::vector<std::uint32_t>(f.rows.positions().begin(), f.rows.positions().end()),
            (std::vector<std::uint32_t>{14, 15, 16, 9, 0, 1}));
  EXPECT_EQ(f.rows.slice_index(4), 2u);
}

TEST(StepRows, only_wanted_rows_have_logits) {
  const Fixture f;
  EXPECT_EQ(std::vector<std::uint32_t>(f.rows.logit_rows().begin(), f.rows.logit_rows().end()),
            (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(f.output.row_of_slice, (std::vector<std::uint32_t>{0, 1, StepOutput::kNoRow}));
  EXPECT_EQ(f.output.logits.size(), 20u);
  EXPECT_EQ(f.output.pooled[2].size(), 4u);
  EXPECT_TRUE(f.output.pooled[0].empty());
}

TEST(StepRows, writes_roles_into_the_pages) {
  const Fixture f;
  EXPECT_EQ(f.pool.role(f.second.pages()[0], 9), kv::Role::decode);
  EXPECT_EQ(f.pool.role(f.second.pages()[0], 1), kv::Role::prefill);
  EXPECT_EQ(f.pool.role(f.first.pages()[1], 0), kv::Role::prefill);
}

TEST(AttentionJobs, cover_every_head_of_every_row_once) {
  const Fixture f;
  AttentionJobs jobs;
  jobs.assign(kSmall, f.rows);
  std::vector<float> queries(6 * 24);
  std::vector<float> outputs(6 * 24);
  std::vector<int> seen(6 * 6, 0);
  for (std::uint32_t i = 0; i < jobs.count(); ++i) {
    const kernels::AttentionJob job = jobs.job(i, 0, queries.data(), outputs.data());
    for (std::uint32_t r = 0; r < job.row_count; ++r) {
      const auto at = static_cast<std::size_t>(job.rows[r].out - outputs.data());
      EXPECT_EQ(job.rows[r].query - queries.data(), job.rows[r].out - outputs.data());
      ++seen[at / 4];
      const std::uint32_t position = f.rows.positions()[at / 24];
      EXPECT_EQ(job.rows[r].end, position + 1);
      EXPECT_EQ(job.rows[r].begin, position + 1 > 8 ? position + 1 - 8 : 0u);
      EXPECT_EQ(job.keys == f.pool.keys(0, 0), at / 4 % 6 < 3);
    }
  }
  EXPECT_EQ(seen, std::vector<int>(36, 1));
}

TEST(KvElement, keys_lie_by_dimension_and_values_by_position) {
  kv::PagePool pool({1, 2, 4, kv::KvType::f16}, 1);
  std::vector<std::uint16_t> key;
  std::vector<std::uint16_t> value;
  for (int i = 0; i < 8; ++i) {
    key.push_back(kernels::f16_from_f32(static_cast<float>(i)));
    value.push_back(kernels::f16_from_f32(static_cast<float>(10 + i)));
  }
  store_kv_row(pool.shape(), 5, key.data(), value.data(), pool.keys(0, 0), pool.values(0, 0));
  EXPECT_EQ(load_kv(kv::KvType::f16, pool.keys(0, 0), (1 * 4 + 2) * kv::kPageTokens + 5), 6.0f);
  EXPECT_EQ(load_kv(kv::KvType::f16, pool.values(0, 0), (1 * kv::kPageTokens + 5) * 4 + 2), 16.0f);
}

}  // namespace
}  // namespace stint::model
