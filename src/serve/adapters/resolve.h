// Resolve: which model the requested name means. Pure, blind to health and load. Fills exchange.model.
#pragma once

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Resolve final : public Stage {
 public:
  explicit Resolve(const Collaborators& with) : metrics_(with.metrics) {}
  StageId id() const override { return StageId::resolve; }
  // Errors: not_found in strict mode.
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  RequestMetrics& metrics_;
};

}  // namespace stint::serve
