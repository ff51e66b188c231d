// BodyBudget: the process-wide bound on request bodies in memory. A body takes its share as it grows and gives it back
// when its last holder lets go, on whichever thread that is. Thread-safe; must outlive every body made under it.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "platform/base/limits.h"

namespace stint::net {

class BodyBudget {
 public:
  explicit BodyBudget(std::size_t size_max = base::kBodiesInFlightSizeMax) : size_max_(size_max) {}

  // False, and nothing taken, if the bound would be passed.
  bool try_take(std::size_t size);
  void give_back(std::size_t size) { in_flight_size_ -= size; }
  std::size_t in_flight_size() const { return in_flight_size_; }

 private:
  const std::size_t size_max_;
  std::atomic<std::size_t> in_flight_size_ = 0;
};

// One body being received. The budget counts bytes that have arrived, never a size that the client merely announced.
class BudgetedBody {
 public:
  BudgetedBody(BodyBudget& budget, std::size_t announced_size) : budget_(budget), announced_size_(announced_size) {}
  BudgetedBody(const BudgetedBody&) = delete;
  BudgetedBody& operator=(const BudgetedBody&) = delete;
  ~BudgetedBody() { budget_.give_back(taken_size_); }

  // False if the budget is exhausted.
  bool append(std::string_view bytes);
  const std::string& text() const { return text_; }

 private:
  BodyBudget& budget_;
  const std::size_t announced_size_;  // 0 if unknown
  std::size_t taken_size_ = 0;
  std::string text_;
};

}  // namespace stint::net
