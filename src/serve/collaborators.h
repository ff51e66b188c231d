// Collaborators: what the stages of the pipeline work with, wired by app. Everything is borrowed, lives on the io
// thread and outlives the pipeline; nothing in it belongs to one request.
#pragma once

#include "platform/base/clock.h"
#include "platform/base/random.h"
#include "platform/net/task.h"
#include "platform/observe/log.h"
#include "serve/request_metrics.h"
#include "stages/admit/principal.h"
#include "stages/dispatch/executor.h"

namespace stint::serve {

struct Collaborators {
  const base::Clock& clock;
  net::Loop& loop;
  base::Random& random;
  observe::Logger& logger;
  RequestMetrics& metrics;
  admit::PrincipalFinder& principals;
  dispatch::Executor& executor;
};

}  // namespace stint::serve
