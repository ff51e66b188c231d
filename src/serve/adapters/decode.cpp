#include "serve/adapters/decode.h"

#include <vector>

#include "serve/api/dialect.h"

namespace stint::serve {

net::Task<Result<void>> Decode::run(Exchange& exchange) {
  const net::Headers& headers = exchange.connection.request().headers;
  std::vector<api::Header> fields;
  fields.reserve(headers.size());
  for (std::size_t i = 0; i < headers.size(); ++i) fields.push_back({headers.name(i), headers.value(i)});
  Result<chat::Request> request =
      api::dialect(exchange.route.dialect)
          .decode({.endpoint = exchange.route.endpoint, .headers = fields, .body = exchange.body});
  if (!request) co_return std::unexpected(std::move(request.error()));
  exchange.request = std::move(*request);
  co_return Result<void>();
}

}  // namespace stint::serve
