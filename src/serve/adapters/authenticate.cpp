#include "serve/adapters/authenticate.h"

namespace stint::serve {

net::Task<Result<void>> Authenticate::run(Exchange& exchange) {
  const net::Headers& headers = exchange.connection.request().headers;
  const std::string_view credential =
      admit::presented_credential(headers.find("authorization").value_or(""), headers.find("x-api-key").value_or(""));
  Result<admit::Principal> principal = principals_.find(exchange.generation->access_keys, credential);
  if (!principal) co_return std::unexpected(std::move(principal.error()));
  exchange.principal = std::move(*principal);
  co_return Result<void>();
}

}  // namespace stint::serve
