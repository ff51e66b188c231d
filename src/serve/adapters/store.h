// Store: puts a ResponseLog between producer and client, so that a slow reader pauses the producer at a known bound and
// other readers can join. Wraps exchange.stream.
#pragma once

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Store final : public Stage {
 public:
  explicit Store(const Collaborators& with) : loop_(with.loop) {}
  StageId id() const override { return StageId::store; }
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  net::Loop& loop_;
};

}  // namespace stint::serve
