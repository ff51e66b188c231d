// Decode: the body becomes a chat::Request by the rules of its dialect. Fills exchange.request.
#pragma once

#include "serve/stage.h"

namespace stint::serve {

class Decode final : public Stage {
 public:
  StageId id() const override { return StageId::decode; }
  // Errors: those of api::Dialect::decode.
  net::Task<Result<void>> run(Exchange& exchange) override;
};

}  // namespace stint::serve
