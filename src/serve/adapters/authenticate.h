// Authenticate: who is calling, from the request's head alone. Fills exchange.principal.
#pragma once

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Authenticate final : public Stage {
 public:
  explicit Authenticate(const Collaborators& with) : principals_(with.principals) {}
  StageId id() const override { return StageId::authenticate; }
  // Errors: authentication.
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  admit::PrincipalFinder& principals_;
};

}  // namespace stint::serve
