#include "platform/net/body_budget.h"

#include <algorithm>

namespace stint::net {

namespace {

// Room is reserved on the client's word up to here, and for the rest once so much has come: large bodies are then
// copied once, and a thousand liars cost little.
constexpr std::size_t kTrustedSize = 1 * base::kMiB;

}  // namespace

bool BodyBudget::try_take(std::size_t size) {
  std::size_t current = in_flight_size_.load();
  do {
    if (size > size_max_ || current > size_max_ - size) return false;
  } while (!in_flight_size_.compare_exchange_weak(current, current + size));
  return true;
}

bool BudgetedBody::append(std::string_view bytes) {
  if (!budget_.try_take(bytes.size())) return false;
  taken_size_ += bytes.size();
  if (taken_size_ > text_.capacity() && taken_size_ <= announced_size_) {
    text_.reserve(taken_size_ <= kTrustedSize ? std::min(announced_size_, kTrustedSize) : announced_size_);
  }
  text_.append(bytes);
  return true;
}

}  // namespace stint::net
