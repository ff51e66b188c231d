#include "serve/adapters/record.h"

#include "serve/endpoint_name.h"

namespace stint::serve {

namespace {

constexpr int kClientClosedRequest = 499;

double seconds(base::Duration span) {
  return std::chrono::duration<double>(span).count();
}

}  // namespace

net::Task<Result<void>> Record::run(Exchange& exchange) {
  const int status = exchange.outcome.client_gone ? kClientClosedRequest : exchange.connection.status();
  const base::Duration span = clock_.now() - exchange.received_at;
  count(exchange, status, span);
  log(exchange, status, span);
  co_return Result<void>();
}

void Record::count(const Exchange& exchange, int status, base::Duration span) {
  const std::string_view endpoint = endpoint_name(exchange.route.endpoint);
  const std::string status_text = std::to_string(status);
  metrics_.requests.with({endpoint, status_text}).add();
  metrics_.request_seconds.with({endpoint}).observe(span);
  const Outcome& outcome = exchange.outcome;
  if (outcome.client_gone) metrics_.clients_gone.add();
  if (outcome.time_to_first_token) metrics_.time_to_first_token_seconds.observe(*outcome.time_to_first_token);
  metrics_.input_tokens.add(outcome.usage.total_input_tokens());
  metrics_.cached_input_tokens.add(outcome.usage.cache_read_tokens);
  metrics_.output_tokens.add(outcome.usage.output_tokens);
}

void Record::log(const Exchange& exchange, int status, base::Duration span) {
  const Outcome& outcome = exchange.outcome;
  const auto level = status >= 500 ? observe::LogLevel::warning : observe::LogLevel::info;
  logger_.write(level, "request",
                {{"request_id", exchange.request_id},
                 {"endpoint", endpoint_name(exchange.route.endpoint)},
                 {"status", status},
                 {"principal", exchange.principal.name},
                 {"model", exchange.request.model},
                 {"served_by", outcome.served_by},
                 {"stream", exchange.request.stream},
                 {"input_tokens", outcome.usage.total_input_tokens()},
                 {"output_tokens", outcome.usage.output_tokens},
                 {"first_token_seconds", outcome.time_to_first_token ? seconds(*outcome.time_to_first_token) : 0.0},
                 {"seconds", seconds(span)},
                 {"error", exchange.failure ? base::to_string(exchange.failure->kind) : std::string_view()}});
}

}  // namespace stint::serve
