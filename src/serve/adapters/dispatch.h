// Dispatch: starts the plan. Fills exchange.stream, or exchange.token_count for a count_tokens call.
#pragma once

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Dispatch final : public Stage {
 public:
  explicit Dispatch(const Collaborators& with) : executor_(with.executor) {}
  StageId id() const override { return StageId::dispatch; }
  // Errors: those of the last attempt.
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  dispatch::Executor& executor_;
};

}  // namespace stint::serve
