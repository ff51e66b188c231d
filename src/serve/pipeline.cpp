#include "serve/pipeline.h"

#include "platform/base/assert.h"
#include "platform/observe/stopwatch.h"
#include "serve/adapters/authenticate.h"
#include "serve/adapters/decode.h"
#include "serve/adapters/dispatch.h"
#include "serve/adapters/encode.h"
#include "serve/adapters/pass_through.h"
#include "serve/adapters/plan.h"
#include "serve/adapters/receive.h"
#include "serve/adapters/record.h"
#include "serve/adapters/resolve.h"
#include "serve/adapters/store.h"

namespace stint::serve {

Pipeline make_pipeline(const Collaborators& with) {
  Pipeline::Stages stages;
  const auto add = [&stages](std::unique_ptr<Stage> stage) { stages.push_back(std::move(stage)); };
  add(std::make_unique<Authenticate>(with));                 // headers only: strangers never make us parse 32 MiB
  add(std::make_unique<Receive>());                          // the body, bounded for the process
  add(std::make_unique<Decode>());                           // errors in the dialect before anything costs money
  add(std::make_unique<Resolve>(with));                      // pure, ignores health: cache keys stay stable
  add(std::make_unique<PassThrough>(StageId::preprocess));   // before admit: a shortened prompt reserves less
  add(std::make_unique<PassThrough>(StageId::admit));        // reserves tokens and money
  add(std::make_unique<PassThrough>(StageId::cache));        // after admit: hits count as requests too
  add(std::make_unique<Plan>());                             // health, price and load matter only for a miss
  add(std::make_unique<Dispatch>(with));                     // opens the stream; from here on stages wrap it
  add(std::make_unique<PassThrough>(StageId::postprocess));  // sees hits and misses alike
  add(std::make_unique<Store>(with));                        // keeps what the client will read, as it will read it
  add(std::make_unique<Encode>(with));                       // the only one that pulls; runs after failures too
  add(std::make_unique<Record>(with));                       // on every exit, also errors and clients that left
  return Pipeline(std::move(stages), with);
}

Pipeline::Pipeline(Stages stages, const Collaborators& with)
    : stages_(std::move(stages)), clock_(with.clock), metrics_(with.metrics) {
  STINT_ASSERT(stages_.size() == kStageCount);
  for (std::size_t i = 0; i < kStageCount; ++i) STINT_ASSERT(stages_[i]->id() == static_cast<StageId>(i));
}

net::Task<void> Pipeline::run(Exchange& exchange) {
  observe::Stopwatch stopwatch(clock_);
  for (const std::unique_ptr<Stage>& stage : stages_) {
    if (!runs(*stage, exchange)) continue;
    stopwatch.lap();
    Result<void> result = co_await stage->run(exchange);
    const base::Duration span = stopwatch.lap();
    exchange.stage_times.at(static_cast<std::size_t>(stage->id())) = span;
    metrics_.stage_seconds(stage->id()).observe(span);
    if (!result && !exchange.failure) exchange.failure = std::move(result.error());
  }
}

bool Pipeline::runs(const Stage& stage, const Exchange& exchange) const {
  const StageId id = stage.id();
  if (id == StageId::encode || id == StageId::record) return true;
  if (exchange.failure || exchange.bypassed.at(static_cast<std::size_t>(id))) return false;
  return exchange.generation->switches.runs(id, exchange.stage_roll);
}

}  // namespace stint::serve
