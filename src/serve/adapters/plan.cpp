#include "serve/adapters/plan.h"

namespace stint::serve {

net::Task<Result<void>> Plan::run(Exchange& exchange) {
  exchange.plan = plan::make_plan({.kind = exchange.request.kind,
                                   .backend = exchange.model.backend,
                                   .model = exchange.model.model,
                                   .urgent = exchange.request.own.urgent});
  co_return Result<void>();
}

}  // namespace stint::serve
