#include "serve/endpoint.h"

#include "serve/adapters/authenticate.h"
#include "serve/answer_head.h"
#include "serve/api/error_body.h"
#include "serve/api/ids.h"

namespace stint::serve {

namespace {

chat::CallKind call_kind(api::Endpoint endpoint) {
  switch (endpoint) {
    case api::Endpoint::completions:
      return chat::CallKind::complete;
    case api::Endpoint::embeddings:
      return chat::CallKind::embed;
    default:
      return chat::CallKind::chat;
  }
}

// Counts an exchange as in flight while it lives.
class InFlight {
 public:
  explicit InFlight(observe::Gauge& gauge) : gauge_(gauge) { gauge_.add(1); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() { gauge_.add(-1); }

 private:
  observe::Gauge& gauge_;
};

}  // namespace

Endpoint::Endpoint(const Generations& generations, Pipeline& pipeline, const Collaborators& with, ModelsView models)
    : generations_(generations), pipeline_(pipeline), with_(with), models_(std::move(models)) {}

net::Task<void> Endpoint::handle(net::ServerExchange& connection) {
  const net::HttpRequest& request = connection.request();
  const bool has_version = request.headers.contains("anthropic-version");
  Result<api::Route> route = api::find_route(request.method, request.path(), has_version);
  api::Route known = route ? *route : api::Route{.dialect = api::guess_dialect(request.path(), has_version)};
  Exchange exchange(connection, generations_.current(), std::move(known), with_.clock.now());
  exchange.request_id = api::request_id(with_.random);

  const BrowserGuard& guard = exchange.generation->browser_guard;
  if (const Result<void> allowed = guard.check(request.headers); !allowed) {
    co_return co_await refuse(exchange, allowed.error());
  }
  if (std::optional<net::HttpResponseHead> preflight = guard.answer_preflight(request)) {
    co_await connection.respond(std::move(*preflight), "");
    co_return;
  }
  if (!route) co_return co_await refuse(exchange, route.error());
  co_await answer(exchange);
}

net::Task<void> Endpoint::answer(Exchange& exchange) {
  switch (exchange.route.endpoint) {
    case api::Endpoint::hello:
    case api::Endpoint::health:
      co_await exchange.connection.respond(answer_head(exchange, "application/json"), R"({"status":"ok"})");
      co_return;
    case api::Endpoint::ready:
      co_return co_await answer_ready(exchange);
    case api::Endpoint::models:
    case api::Endpoint::model:
      co_return co_await answer_models(exchange);
    default:
      co_return co_await run_pipeline(exchange);
  }
}

net::Task<void> Endpoint::answer_ready(Exchange& exchange) {
  const std::optional<base::Error> reason = models_.not_ready();
  if (reason) co_return co_await refuse(exchange, *reason);
  co_await exchange.connection.respond(answer_head(exchange, "application/json"), R"({"status":"ready"})");
}

net::Task<void> Endpoint::answer_models(Exchange& exchange) {
  if (const Result<void> known = co_await Authenticate(with_).run(exchange); !known) {
    co_return co_await refuse(exchange, known.error());
  }
  const std::vector<api::ModelInfo> models = models_.list();
  Result<std::string> body;
  if (exchange.route.endpoint == api::Endpoint::models) {
    body = api::encode_models(models, exchange.connection.request().query(), exchange.route.dialect);
  } else {
    const auto found = std::ranges::find(models, exchange.route.model, &api::ModelInfo::id);
    body = found != models.end()
               ? Result<std::string>(api::encode_model(*found, exchange.route.dialect))
               : fail(ErrorKind::not_found, fmt::format("model: {} is not served here", exchange.route.model), "model",
                      "model_not_found");
  }
  if (!body) co_return co_await refuse(exchange, body.error());
  co_await exchange.connection.respond(answer_head(exchange, "application/json"), *body);
}

net::Task<void> Endpoint::run_pipeline(Exchange& exchange) {
  const InFlight in_flight(with_.metrics.in_flight);
  exchange.answer_id = api::answer_id(exchange.route.dialect, call_kind(exchange.route.endpoint), with_.random);
  exchange.created_unix_s = with_.clock.unix_seconds();
  exchange.stage_roll = with_.random.unit();
  exchange.bypassed = parse_bypass(exchange.connection.request().headers.find("x-stint-bypass").value_or(""));
  co_await pipeline_.run(exchange);
}

net::Task<void> Endpoint::refuse(Exchange& exchange, const base::Error& error) {
  ErrorAnswer answer = error_answer(exchange, error);
  const std::string_view allow = api::allowed_methods(exchange.connection.request().path());
  if (answer.head.status == 405 && !allow.empty()) answer.head.headers.set("allow", allow);
  co_await exchange.connection.respond(std::move(answer.head), answer.body);
}

}  // namespace stint::serve
