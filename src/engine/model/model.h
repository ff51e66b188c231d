// Model: the weights of one GGUF and its forward pass over paged KV. run() is called by the engine driver only, which
// is kernel worker 0 of the pool it was given. Owns packed weights and scratch memory; borrows the mapped file and the
// pool. Greedy output does not depend on which slices share a step: integer sums are exact and every row's reductions
// have one fixed order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/gguf/file.h"
#include "engine/kernels/tier.h"
#include "engine/kernels/worker_pool.h"
#include "engine/model/hyperparameters.h"
#include "engine/model/step_plan.h"
#include "platform/base/result.h"

namespace stint::model {

class Model {
 public:
  // Errors: unsupported / corrupt, naming the tensor, type or architecture and what is supported.
  // Tier::reference computes in f32 from dequantised weights: slow, the yardstick of every other tier.
  static Result<std::unique_ptr<Model>> load(const gguf::File& file, kernels::Tier tier, kernels::WorkerPool& workers);
  virtual ~Model() = default;

  virtual const Hyperparameters& hyperparameters() const = 0;
  // Requires: 1..kStepTokensMax tokens, every slice's pages grown. Writes K/V (and their role) of all tokens.
  virtual void run(const StepPlan& plan, StepOutput& output) = 0;
};

inline constexpr std::uint32_t kStepTokensMax = 2048;

}  // namespace stint::model
