// BodyBudget: the process-wide bound on request bodies in memory. A BodyLease takes its share as a body grows and gives
// it back when the last holder of the body lets go. Single-threaded in taking; giving back may happen on any thread
// that drops the body.
#pragma once

#include <atomic>
#include <cstddef>

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

}  // namespace stint::net
