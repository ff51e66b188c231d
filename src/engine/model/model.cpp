#include "engine/model/model.h"

#include <fmt/format.h>

#include "engine/model/packed_model.h"
#include "engine/model/reference_model.h"
#include "engine/model/tensors.h"

namespace stint::model {

Result<std::unique_ptr<Model>> Model::load(const gguf::File& file, kernels::Tier tier, kernels::WorkerPool& workers) {
  if (!kernels::is_available(tier)) {
    return fail(ErrorKind::unsupported, fmt::format("This machine cannot run the kernel tier {}; choose one of: {}.",
                                                    kernels::to_string(tier), kernels::available_tier_names()));
  }
  const Result<Hyperparameters> h = Hyperparameters::read(file.metadata());
  if (!h) return std::unexpected(h.error());
  const Result<Tensors> tensors = Tensors::bind(file, *h);
  if (!tensors) return std::unexpected(tensors.error());
  if (tier == kernels::Tier::reference) return make_reference_model(*h, *tensors, workers);
  return make_packed_model(file, *h, *tensors, *kernels::find_kernels(tier), workers);
}

}  // namespace stint::model
