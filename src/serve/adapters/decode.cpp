#include "serve/adapters/decode.h"

#include "serve/api/dialect.h"

namespace stint::serve {

net::Task<Result<void>> Decode::run(Exchange& exchange) {
  Result<chat::Request> request =
      api::dialect(exchange.route.dialect).decode(exchange.route.endpoint, exchange.connection.request());
  if (!request) co_return std::unexpected(std::move(request.error()));
  exchange.request = std::move(*request);
  co_return Result<void>();
}

}  // namespace stint::serve
