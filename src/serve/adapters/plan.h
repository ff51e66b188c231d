// Plan: which attempts shall answer. Fills exchange.plan.
#pragma once

#include "serve/stage.h"

namespace stint::serve {

class Plan final : public Stage {
 public:
  StageId id() const override { return StageId::plan; }
  net::Task<Result<void>> run(Exchange& exchange) override;
};

}  // namespace stint::serve
