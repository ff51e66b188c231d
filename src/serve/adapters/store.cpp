#include "serve/adapters/store.h"

#include "serve/response_log.h"

namespace stint::serve {

net::Task<Result<void>> Store::run(Exchange& exchange) {
  if (exchange.stream) {
    exchange.stream = ResponseLog::start(loop_, std::move(exchange.stream), {})->open_cursor();
  }
  co_return Result<void>();
}

}  // namespace stint::serve
