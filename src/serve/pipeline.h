// Pipeline: the ordered list of stages and the loop that runs them. Made once by app; runs any number of exchanges at a
// time on the io thread. Owns its stages; borrows the collaborators.
#pragma once

#include <memory>
#include <vector>

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Pipeline {
 public:
  using Stages = std::vector<std::unique_ptr<Stage>>;
  // Requires every StageId once, in their order.
  Pipeline(Stages stages, const Collaborators& collaborators);

  // Runs the stages in order, leaving out those that are switched off for this request and, after a failure, all but
  // encode and record, which run on every exit. Times each one.
  net::Task<void> run(Exchange& exchange);

 private:
  bool runs(const Stage& stage, const Exchange& exchange) const;

  Stages stages_;
  const base::Clock& clock_;
  RequestMetrics& metrics_;
};

// The life of a request.
Pipeline make_pipeline(const Collaborators& collaborators);

}  // namespace stint::serve
