// Ticket::Shared: what the reader of a ticket and the engine driver have in common. Thread-safe; owned by both, so that
// either may go first. What was produced and not yet read is merged into one Output, so the engine never waits for a
// reader; it is bounded by the submission's max_output_tokens.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "engine/engine.h"

namespace stint::engine {

struct Ticket::Shared {
 public:
  // Any thread. Cannot fail and does not block.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // Reader.
  std::optional<Output> try_next();
  Output wait_next();

  // Driver: adds to what waits to be read.
  void add(Output&& output);

 private:
  bool has_news() const;

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  Output pending_;
  bool ended_ = false;  // the finish was handed out
};

}  // namespace stint::engine
