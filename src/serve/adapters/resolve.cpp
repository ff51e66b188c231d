#include "serve/adapters/resolve.h"

namespace stint::serve {

net::Task<Result<void>> Resolve::run(Exchange& exchange) {
  const Result<plan::ResolvedModel> model = exchange.generation->model_names.resolve(exchange.request.model);
  if (!model) co_return std::unexpected(model.error());
  exchange.model = *model;
  if (model->substituted) metrics_.substituted_models.add();
  co_return Result<void>();
}

}  // namespace stint::serve
