#include "serve/adapters/receive.h"

namespace stint::serve {

net::Task<Result<void>> Receive::run(Exchange& exchange) {
  Result<std::shared_ptr<const std::string>> body = co_await exchange.connection.read_body();
  if (!body) co_return std::unexpected(std::move(body.error()));
  exchange.body = std::move(*body);
  co_return Result<void>();
}

}  // namespace stint::serve
