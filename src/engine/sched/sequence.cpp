#include "engine/sched/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "platform/base/assert.h"

namespace stint::sched {

using engine::FinishReason;

Sequence::Sequence(engine::Submission&& submission, std::unique_ptr<TokenSink> sink, const Limits& limits,
                   kv::PagePool& pool, std::uint64_t arrival, base::TimePoint submitted_at)
    : kind_(submission.kind),
      priority_(submission.priority),
      deadline_(submission.deadline),
      arrival_(arrival),
      ageing_step_(limits.ageing_step),
      embed_chunk_max_(std::min(kEmbedChunkTokens, limits.step_token_budget)),
      prompt_count_(static_cast<std::uint32_t>(submission.prompt.size())),
      sink_(std::move(sink)),
      tokens_(std::move(submission.prompt)),
      pages_(pool),
      sampler_(submission.sampling, tokens_),
      submitted_at_(submitted_at),
      queued_since_(submitted_at) {
  STINT_ASSERT(prompt_count_ > 0 && prompt_count_ <= limits.context_tokens);
  if (is_embedding()) return;
  const std::uint32_t room = limits.context_tokens - prompt_count_;
  limited_by_context_ = submission.max_output_tokens > room;
  output_limit_ = std::min(submission.max_output_tokens, room);
  STINT_ASSERT(output_limit_ > 0);
}

std::uint32_t Sequence::priority_class(base::TimePoint now) const {
  base::Duration queued = queued_total_;
  if (state_ == State::waiting || state_ == State::paused) queued += now - queued_since_;
  const std::int64_t own = own_class();
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, own - queued / ageing_step_));
}

std::uint32_t Sequence::reserved_tokens() const {
  const std::uint32_t block_count = output_count() / kOutputReserveTokens + 1;
  return std::min(tokens_max(), prompt_count_ + block_count * kOutputReserveTokens);
}

std::uint32_t Sequence::embed_chunk() const {
  return std::min(embed_chunk_max_, prompt_count_);
}

std::uint32_t Sequence::step_tokens_max() const {
  if (is_embedding()) {
    // Positions that were summed before their pages were dropped are computed again without being summed again.
    const std::uint32_t border = computed_ < pooled_count_ ? pooled_count_ : prompt_count_;
    return std::min(embed_chunk(), border - computed_);
  }
  return computed_ < prompt_count_ ? prompt_count_ - computed_ : pending();
}

void Sequence::start(base::TimePoint now) {
  STINT_ASSERT(state_ == State::waiting || state_ == State::paused);
  queued_total_ += now - queued_since_;
  state_ = State::prefilling;
  settle_state();
}

void Sequence::pause(base::TimePoint now) {
  STINT_ASSERT(state_ == State::prefilling || state_ == State::decoding);
  queued_since_ = now;
  state_ = State::paused;
}

std::uint32_t Sequence::drop_pages(std::uint32_t page_count) {
  STINT_ASSERT(state_ == State::paused);
  pages_.shrink_to(page_count * kv::kPageTokens);
  const std::uint32_t before = computed_;
  computed_ = std::min(computed_, page_count * kv::kPageTokens);
  return before - computed_;
}

model::SequenceSlice Sequence::slice(std::uint32_t token_count, base::TimePoint now) {
  STINT_ASSERT(token_count > 0 && token_count <= step_tokens_max());
  if (!first_step_at_) first_step_at_ = now;
  model::SequenceSlice slice;
  slice.tokens = std::span<const TokenId>(tokens_).subspan(computed_, token_count);
  slice.position = computed_;
  slice.pages = &pages_;
  slice.role = computed_ < prompt_count_ ? kv::Role::prefill : kv::Role::decode;
  if (is_embedding()) {
    if (computed_ >= pooled_count_) slice.want = model::Want::pooled;
  } else if (token_count == pending()) {
    slice.want = model::Want::last_logits;
  }
  return slice;
}

void Sequence::advance(std::uint32_t token_count) {
  computed_ += token_count;
  STINT_ASSERT(computed_ <= tokens_.size() && computed_ <= pages_.token_capacity());
  settle_state();
}

std::optional<Sequence::Ending> Sequence::sample(std::span<const float> logits, sample::SampleScratch& scratch,
                                                 base::TimePoint now) {
  STINT_ASSERT(pending() == 0);
  std::optional<engine::OutputToken> out = sampler_.sample(logits, scratch);
  if (!out) {
    return Ending{FinishReason::failed,
                  base::Error{base::ErrorKind::internal,
                              fmt::format("The model gave no usable number for any token at position {}; the request "
                                          "cannot go on, and the model file may be damaged.",
                                          tokens_.size()),
                              {},
                              {}}};
  }
  if (!first_token_at_) first_token_at_ = now;
  const TokenId token = out->token;
  const Verdict verdict = sink_->on_token(*std::move(out));
  if (verdict == Verdict::end_of_generation) return Ending{FinishReason::end_of_generation, {}};
  tokens_.push_back(token);
  if (verdict == Verdict::stop_string) return Ending{FinishReason::stop_string, {}};
  if (output_count() == output_limit_)
    return Ending{limited_by_context_ ? FinishReason::context_window : FinishReason::length, {}};
  settle_state();
  return std::nullopt;
}

std::optional<Sequence::Ending> Sequence::pool(std::span<const float> sum) {
  if (pooled_.empty()) pooled_.resize(sum.size());
  STINT_ASSERT(pooled_.size() == sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i) pooled_[i] += static_cast<double>(sum[i]);
  pooled_count_ = computed_;
  if (pooled_count_ < prompt_count_) return std::nullopt;
  // The mean's division cancels in the normalisation.
  double square = 0;
  for (const double value : pooled_) square += value * value;
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  std::vector<float> embedding;
  embedding.reserve(pooled_.size());
  for (const double value : pooled_) embedding.push_back(static_cast<float>(value * scale));
  sink_->on_embedding(std::move(embedding));
  return Ending{FinishReason::end_of_generation, {}};
}

void Sequence::finish(Ending ending, base::TimePoint now) {
  STINT_ASSERT(state_ != State::finished);
  state_ = State::finished;
  pages_.clear();
  engine::Finish finish;
  finish.reason = ending.reason;
  finish.error = std::move(ending.error);
  finish.prompt_tokens = prompt_count_;
  finish.output_tokens = output_count();
  const base::TimePoint first_step = first_step_at_.value_or(now);
  const base::TimePoint first_token = first_token_at_.value_or(now);
  finish.queue_time = first_step - submitted_at_;
  finish.prefill_time = first_token - first_step;
  finish.decode_time = now - first_token;
  sink_->on_finish(std::move(finish));
}

void Sequence::check_integrity() const {
  STINT_ASSERT(state_ != State::finished);
  STINT_ASSERT(computed_ <= pages_.token_capacity());
  STINT_ASSERT(pages_.pages().size() <= reserved_pages());
  STINT_ASSERT(state_ != State::waiting || pages_.pages().empty());
  STINT_ASSERT(pending() > 0 && output_count() <= output_limit_);
}

// Decoding: only the token drawn last is pending. Everything else is prefilling, also what a pause made it lose.
void Sequence::settle_state() {
  state_ = computed_ >= prompt_count_ && pending() == 1 ? State::decoding : State::prefilling;
}

}  // namespace stint::sched
