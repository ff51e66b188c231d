#include "stages/dispatch/executor.h"

namespace stint::dispatch {

namespace {

// Kinds that describe the request rather than the backend that refused it.
bool is_fault_of_request(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_request:
    case ErrorKind::unsupported:
    case ErrorKind::too_large:
    case ErrorKind::cancelled:
      return true;
    default:
      return false;
  }
}

}  // namespace

net::Task<Result<Started>> Executor::execute(const plan::Plan& plan, backends::Call call, base::Deadline deadline) {
  STINT_ASSERT(!plan.attempts.empty());
  Error last;
  std::uint32_t attempt_count = 0;
  for (const plan::Attempt& attempt : plan.attempts) {
    ++attempt_count;
    call.model = attempt.model;
    call.urgent = attempt.urgent;
    Result<std::unique_ptr<backends::EventStream>> stream = co_await backend(attempt.backend).start(call, deadline);
    if (stream) {
      co_return Started{.stream = std::move(*stream),
                        .backend = attempt.backend,
                        .model = attempt.model,
                        .attempt_count = attempt_count};
    }
    last = std::move(stream.error());
    if (is_fault_of_request(last.kind)) break;
  }
  co_return std::unexpected(std::move(last));
}

net::Task<Result<std::uint64_t>> Executor::count_tokens(const plan::Plan& plan, backends::Call call,
                                                        base::Deadline deadline) {
  STINT_ASSERT(!plan.attempts.empty());
  const plan::Attempt& attempt = plan.attempts.front();
  call.model = attempt.model;
  co_return co_await backend(attempt.backend).count_tokens(call, deadline);
}

backends::Backend& Executor::backend(std::string_view name) const {
  const auto found = backends_.find(name);
  STINT_ASSERT(found != backends_.end());
  return *found->second;
}

}  // namespace stint::dispatch
