#include "tokenizer/scratch.h"

#include <utility>

namespace stint::tokenizer {

ScratchPool::Lease ScratchPool::lease() {
  for (std::atomic<Scratch*>& slot : idle_) {
    if (Scratch* scratch = slot.exchange(nullptr, std::memory_order_acquire))
      return {*this, std::unique_ptr<Scratch>(scratch)};
  }
  return {*this, std::make_unique<Scratch>()};
}

ScratchPool::Lease::~Lease() {
  if (scratch_->memory_size() > kScratchSizeMax) return;
  for (std::atomic<Scratch*>& slot : pool_->idle_) {
    Scratch* empty = nullptr;
    if (slot.compare_exchange_strong(empty, scratch_.get(), std::memory_order_release, std::memory_order_relaxed)) {
      static_cast<void>(scratch_.release());
      return;
    }
  }
}

ScratchPool::~ScratchPool() {
  for (std::atomic<Scratch*>& slot : idle_) std::unique_ptr<Scratch>(slot.load(std::memory_order_acquire)).reset();
}

}  // namespace stint::tokenizer
