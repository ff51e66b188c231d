// Executor: carries out a plan: starts its attempts in order until one of them opens an event stream.
// Lives on the io thread. Borrows the backends, which outlive it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "stages/plan/planner.h"

namespace stint::dispatch {

// The stream of the attempt that opened, and who it was.
struct Started {
  std::unique_ptr<backends::EventStream> stream;
  std::string_view backend;
  std::string_view model;
  std::uint32_t attempt_count = 0;
};

class Executor {
 public:
  using Backends = std::map<std::string, backends::Backend*, std::less<>>;
  explicit Executor(Backends backends) : backends_(std::move(backends)) {}

  // `call` gives request and salt; model and urgency come from the attempt. Errors: the last attempt's. An error that
  // another backend would answer in the same way (the request itself is wrong) ends the plan at once.
  net::Task<Result<Started>> execute(const plan::Plan& plan, backends::Call call, base::Deadline deadline);
  // Input tokens of the call as the plan's first attempt would see them.
  net::Task<Result<std::uint64_t>> count_tokens(const plan::Plan& plan, backends::Call call, base::Deadline deadline);

 private:
  backends::Backend& backend(std::string_view name) const;
  Backends backends_;
};

}  // namespace stint::dispatch
