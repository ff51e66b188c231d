// Working memory for encoding, lent to one thread at a time. A Tokenizer keeps a few, so that what they remember (words
// met a moment ago) serves the next text. Scratch: not thread-safe. ScratchPool: thread-safe and lock-free. About 700
// KiB each; at most kScratchCountMax stay with a tokenizer, more threads than that get one of their own for a call.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "tokenizer/merge_queue.h"
#include "tokenizer/piece_cache.h"
#include "tokenizer/piece_encoder.h"

namespace stint::tokenizer {

inline constexpr std::size_t kScratchCountMax = 4;
inline constexpr std::size_t kScratchSizeMax = std::size_t{2} << 20;  // one that has grown beyond is not kept

struct Scratch {
  PieceCache cache;
  PieceEncoder encoder;
  MergeQueue queue;
  std::string prepared;

  std::size_t memory_size() const { return encoder.memory_size() + queue.memory_size() + prepared.capacity(); }
};

class ScratchPool {
 public:
  ScratchPool() = default;
  ~ScratchPool();
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;

  // Returns the scratch it holds to the pool, which must outlive it.
  class Lease {
   public:
    Lease(ScratchPool& pool, std::unique_ptr<Scratch> scratch) : pool_(&pool), scratch_(std::move(scratch)) {}
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Scratch& operator*() { return *scratch_; }
    Scratch* operator->() { return scratch_.get(); }

   private:
    ScratchPool* pool_;
    std::unique_ptr<Scratch> scratch_;
  };

  Lease lease();

 private:
  std::array<std::atomic<Scratch*>, kScratchCountMax> idle_{};
};

}  // namespace stint::tokenizer
