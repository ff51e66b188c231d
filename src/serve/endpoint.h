// Endpoint: what stands at the API port: finds out what a request is, answers the small ones itself, and hands calls to
// the pipeline. Lives on the io thread; owned by app; borrows everything it is given.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "platform/net/server_exchange.h"
#include "serve/api/models_list.h"
#include "serve/collaborators.h"
#include "serve/generation.h"
#include "serve/pipeline.h"

namespace stint::serve {

// What app knows about the models behind the endpoint; called on the io thread.
struct ModelsView {
  // The models to list; empty while the first one loads.
  std::function<std::vector<api::ModelInfo>()> list;
  // Null when requests can be answered, else why not.
  std::function<std::optional<base::Error>()> not_ready;
};

class Endpoint final : public net::Handler {
 public:
  Endpoint(const Generations& generations, Pipeline& pipeline, const Collaborators& with, ModelsView models);
  net::Task<void> handle(net::ServerExchange& connection) override;

 private:
  net::Task<void> answer(Exchange& exchange);
  net::Task<void> answer_models(Exchange& exchange);
  net::Task<void> answer_ready(Exchange& exchange);
  net::Task<void> run_pipeline(Exchange& exchange);
  net::Task<void> refuse(Exchange& exchange, const base::Error& error);

  const Generations& generations_;
  Pipeline& pipeline_;
  const Collaborators with_;
  const ModelsView models_;
};

}  // namespace stint::serve
