// Stage: one step in the life of a request, as the pipeline sees it. An adapter implements it: it moves what its module
// needs out of the Exchange and puts what comes back in. Stateless between requests; io thread.
#pragma once

#include "platform/base/result.h"
#include "platform/net/task.h"
#include "serve/exchange.h"
#include "serve/stage_switches.h"

namespace stint::serve {

class Stage {
 public:
  virtual ~Stage() = default;
  virtual StageId id() const = 0;
  // An error ends the request; it becomes exchange.failure.
  virtual net::Task<Result<void>> run(Exchange& exchange) = 0;
};

}  // namespace stint::serve
