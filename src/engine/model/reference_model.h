// ReferenceModel: the forward pass in f32 from dequantised weights, written to be read: no packed layouts, no vector
// instructions, sums in double. The yardstick of every fast path; slow, and 4 bytes a weight. Contract: model.h.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/tensors.h"

namespace stint::model {

std::unique_ptr<Model> make_reference_model(const Hyperparameters& hyperparameters, const Tensors& tensors,
                                            kernels::WorkerPool& workers);

}  // namespace stint::model
