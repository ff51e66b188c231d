// Receive: the body, within the bounds of one request and of all requests together. Fills exchange.body.
#pragma once

#include "serve/stage.h"

namespace stint::serve {

class Receive final : public Stage {
 public:
  StageId id() const override { return StageId::receive; }
  // Errors: those of net::ServerExchange::read_body.
  net::Task<Result<void>> run(Exchange& exchange) override;
};

}  // namespace stint::serve
