#include "serve/adapters/dispatch.h"

namespace stint::serve {

net::Task<Result<void>> Dispatch::run(Exchange& exchange) {
  const backends::Call call{.request = &exchange.request, .salt = exchange.principal.salt};
  exchange.outcome.served_by = fmt::format("{}/{}", exchange.model.backend, exchange.model.model);
  if (exchange.request.kind == chat::CallKind::count_tokens) {
    const Result<std::uint64_t> count = co_await executor_.count_tokens(exchange.plan, call, base::Deadline::never());
    if (!count) co_return std::unexpected(count.error());
    exchange.token_count = *count;
    co_return Result<void>();
  }
  Result<dispatch::Started> started = co_await executor_.execute(exchange.plan, call, base::Deadline::never());
  if (!started) co_return std::unexpected(std::move(started.error()));
  exchange.outcome.served_by = fmt::format("{}/{}", started->backend, started->model);
  exchange.outcome.attempt_count = started->attempt_count;
  exchange.stream = std::move(started->stream);
  co_return Result<void>();
}

}  // namespace stint::serve
