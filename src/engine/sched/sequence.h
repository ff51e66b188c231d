// Sequence: one submission on its way through the engine: its tokens, its KV pages, its sampler, its place in the
// queue. Engine driver only; owned by the scheduler. Memory is bounded by prompt + output limit.
//
//   waiting -> prefilling -> decoding -> finished          paused keeps its pages unless others need them; what was
//                 ^   \________/  |                        dropped is computed again with the role that computed it
//                 |____ paused <__|                        first, so that the answer does not change in a single bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/kv/page_pool.h"
#include "engine/messages.h"
#include "engine/model/step_plan.h"
#include "engine/sample/sampler.h"
#include "engine/sched/limits.h"
#include "engine/sched/token_sink.h"

namespace stint::sched {

using engine::TokenId;

enum class State : std::uint8_t { waiting, prefilling, decoding, paused, finished };

class Sequence {
 public:
  // Requires a prompt that fits the context (engine::check_submission). `arrival` numbers the submissions.
  Sequence(engine::Submission&& submission, std::unique_ptr<TokenSink> sink, const Limits& limits, kv::PagePool& pool,
           std::uint64_t arrival, base::TimePoint submitted_at);

  State state() const { return state_; }
  std::uint64_t arrival() const { return arrival_; }
  base::Deadline deadline() const { return deadline_; }
  bool cancelled() const { return sink_->cancelled(); }
  bool is_embedding() const { return kind_ == engine::Submission::Kind::embed; }

  // 0 is the most urgent: what the submission asked for.
  std::uint32_t own_class() const { return static_cast<std::uint32_t>(priority_); }
  // With ageing: a sequence gains one class for every ageing step it spent queued, and keeps it.
  std::uint32_t priority_class(base::TimePoint now) const;
  // Positions it may come to hold: prompt and output limit.
  std::uint32_t tokens_max() const { return prompt_count_ + output_limit_; }
  // What residency counts: the prompt and the output in whole blocks of kOutputReserveTokens, at least one. Agents ask
  // for 32,000 tokens and stop after 300; reserving all of them would leave every other request waiting.
  std::uint32_t reserved_tokens() const;
  std::uint32_t reserved_pages() const { return (reserved_tokens() + kv::kPageTokens - 1) / kv::kPageTokens; }
  // Tokens that every step it takes part in must have room for.
  std::uint32_t step_tokens_min() const { return is_embedding() ? embed_chunk() : 1; }
  // Positions whose keys and values are in its pages: what is lost if they are dropped.
  std::uint32_t computed_tokens() const { return computed_; }
  // Tokens that one step could compute: all pending ones of the same role; at least 1 while it is running.
  std::uint32_t step_tokens_max() const;

  const kv::PageTable& pages() const { return pages_; }
  kv::PageTable& pages() { return pages_; }

  // Later, more urgent work may go first so many times; then nothing passes until this sequence is resident.
  bool may_be_passed() const { return passed_count_ < kPassCountMax; }
  void note_passed() { ++passed_count_; }

  void start(base::TimePoint now);
  void pause(base::TimePoint now);
  // Only while paused: gives up the pages beyond the first `page_count`. Returns how many positions were lost.
  std::uint32_t drop_pages(std::uint32_t page_count);

  // The next `token_count` pending tokens. Valid until advance().
  model::SequenceSlice slice(std::uint32_t token_count, base::TimePoint now);
  // The slice of `token_count` tokens was computed.
  void advance(std::uint32_t token_count);

  // Draws from the logits of the last position and tells the sink. The reason if the sequence is over.
  struct Ending {
    engine::FinishReason reason = engine::FinishReason::failed;
    std::optional<base::Error> error;
  };
  std::optional<Ending> sample(std::span<const float> logits, sample::SampleScratch& scratch, base::TimePoint now);
  // Adds a slice's sum of hidden states; when the prompt is complete hands out the embedding.
  std::optional<Ending> pool(std::span<const float> sum);
  // Frees the pages and tells the sink.
  void finish(Ending ending, base::TimePoint now);

  // Asserts what must hold between two steps.
  void check_integrity() const;

 private:
  std::uint32_t embed_chunk() const;
  std::uint32_t pending() const { return static_cast<std::uint32_t>(tokens_.size()) - computed_; }
  std::uint32_t output_count() const { return static_cast<std::uint32_t>(tokens_.size()) - prompt_count_; }
  void settle_state();

  const engine::Submission::Kind kind_;
  const engine::Priority priority_;
  const base::Deadline deadline_;
  const std::uint64_t arrival_;
  const base::Duration ageing_step_;
  const std::uint32_t embed_chunk_max_;
  const std::uint32_t prompt_count_;
  std::uint32_t output_limit_ = 0;
  bool limited_by_context_ = false;
  std::unique_ptr<TokenSink> sink_;

  State state_ = State::waiting;
  std::vector<TokenId> tokens_;  // prompt, then output
  kv::PageTable pages_;
  std::uint32_t computed_ = 0;
  std::uint32_t passed_count_ = 0;
  sample::Sampler sampler_;
  std::vector<double> pooled_;
  std::uint32_t pooled_count_ = 0;  // positions in pooled_

  base::TimePoint submitted_at_;
  base::TimePoint queued_since_;
  base::Duration queued_total_{};
  std::optional<base::TimePoint> first_step_at_;
  std::optional<base::TimePoint> first_token_at_;
};

}  // namespace stint::sched
