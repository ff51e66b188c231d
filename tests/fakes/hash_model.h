// HashModel: a model::Model whose logits are a hash of the sequence's history as its KV pages tell it: tokens,
// positions and roles. A page that was mixed up, dropped, overwritten or recomputed in another role changes what it
// says next. Records every step. run() is called by one thread; the log may be read from any.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <vector>

#include "engine/model/model.h"
#include "platform/base/assert.h"

namespace stint::fakes {

class HashModel final : public model::Model {
 public:
  static constexpr std::uint32_t kVocabularyCount = 50;
  static constexpr std::uint32_t kEmbeddingSize = 4;

  struct LoggedSlice {
    model::TokenId first_token = 0;  // of the sequence: tests mark their sequences by it
    std::uint32_t position = 0;
    std::uint32_t token_count = 0;
    kv::Role role = kv::Role::prefill;
  };
  using LoggedStep = std::vector<LoggedSlice>;

  // `before_step` is called at the start of every run(), on its thread.
  explicit HashModel(std::function<void()> before_step = {}) : before_step_(std::move(before_step)) {
    hyperparameters_.layer_count = 1;
    hyperparameters_.kv_head_count = 1;
    hyperparameters_.head_count = 1;
    hyperparameters_.head_size = 2;
    hyperparameters_.embedding_size = kEmbeddingSize;
    hyperparameters_.vocabulary_count = kVocabularyCount;
    hyperparameters_.context_tokens = 4096;
  }

  static kv::PageShape page_shape() { return {1, 1, 2, kv::KvType::f32}; }

  const model::Hyperparameters& hyperparameters() const override { return hyperparameters_; }

  void run(const model::StepPlan& plan, model::StepOutput& output) override {
    if (before_step_) before_step_();
    STINT_ASSERT(plan.token_count() > 0 && plan.token_count() <= model::kStepTokensMax);
    output.logits.clear();
    output.row_of_slice.assign(plan.slices.size(), model::StepOutput::kNoRow);
    output.pooled.assign(plan.slices.size(), {});
    LoggedStep step;
    for (std::size_t i = 0; i < plan.slices.size(); ++i) step.push_back(run_slice(plan.slices[i], i, output));
    const std::lock_guard lock(mutex_);
    log_.push_back(std::move(step));
  }

  std::vector<LoggedStep> log() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }

 private:
  LoggedSlice run_slice(const model::SequenceSlice& slice, std::size_t index, model::StepOutput& output) {
    for (std::uint32_t i = 0; i < slice.tokens.size(); ++i) write(slice, slice.position + i, slice.tokens[i]);
    const auto end = slice.position + static_cast<std::uint32_t>(slice.tokens.size());
    if (slice.want == model::Want::last_logits) {
      output.row_of_slice[index] = static_cast<std::uint32_t>(output.logits.size() / kVocabularyCount);
      const std::uint64_t history = hash_history(*slice.pages, end);
      for (std::uint32_t token = 0; token < kVocabularyCount; ++token)
        output.logits.push_back(static_cast<float>(mix(history, token) % 8000) / 1000);
    } else if (slice.want == model::Want::pooled) {
      output.pooled[index].assign(kEmbeddingSize, 0.0f);
      for (std::uint32_t position = slice.position; position < end; ++position) {
        const std::uint64_t history = hash_history(*slice.pages, position + 1);
        for (std::uint32_t i = 0; i < kEmbeddingSize; ++i)
          output.pooled[index][i] += static_cast<float>(mix(history, i) % 8000) / 997 - 4;
      }
    }
    return {token_at(*slice.pages, 0), slice.position, static_cast<std::uint32_t>(slice.tokens.size()), slice.role};
  }

  static void write(const model::SequenceSlice& slice, std::uint32_t position, model::TokenId token) {
    const kv::PageIndex page = slice.pages->pages()[position / kv::kPageTokens];
    kv::PagePool& pool = slice.pages->pool();
    STINT_ASSERT(pool.reference_count(page) == 1);
    const std::uint32_t at = position % kv::kPageTokens;
    std::memcpy(pool.keys(page, 0) + at * sizeof(token), &token, sizeof(token));
    std::memcpy(pool.values(page, 0) + at * sizeof(position), &position, sizeof(position));
    pool.set_role(page, at, slice.role);
  }

  static model::TokenId token_at(const kv::PageTable& pages, std::uint32_t position) {
    model::TokenId token = 0;
    const kv::PageIndex page = pages.pages()[position / kv::kPageTokens];
    std::memcpy(&token, pages.pool().keys(page, 0) + position % kv::kPageTokens * sizeof(token), sizeof(token));
    return token;
  }

  static std::uint64_t hash_history(const kv::PageTable& pages, std::uint32_t count) {
    std::uint64_t hash = 1;
    for (std::uint32_t position = 0; position < count; ++position) {
      const kv::PageIndex page = pages.pages()[position / kv::kPageTokens];
      const std::uint32_t at = position % kv::kPageTokens;
      std::uint32_t stored = 0;
      std::memcpy(&stored, pages.pool().values(page, 0) + at * sizeof(stored), sizeof(stored));
      hash = mix(hash, token_at(pages, position));
      hash = mix(hash, stored);
      hash = mix(hash, pages.pool().role(page, at) == kv::Role::decode ? 1 : 0);
    }
    return hash;
  }

  static std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ (value + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    return hash ^ (hash >> 29);
  }

  std::function<void()> before_step_;
  model::Hyperparameters hyperparameters_;
  mutable std::mutex mutex_;
  std::vector<LoggedStep> log_;
};

}  // namespace stint::fakes
