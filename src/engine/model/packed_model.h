// PackedModel: the fast forward pass, over packed weights with the kernels of one tier. Contract: model.h.
#pragma once

#include <memory>

#include "engine/kernels/kernel_table.h"
#include "engine/model/model.h"
#include "engine/model/tensors.h"

namespace stint::model {

std::unique_ptr<Model> make_packed_model(const gguf::File& file, const Hyperparameters& hyperparameters,
                                         const Tensors& tensors, const kernels::KernelTable& kernels,
                                         kernels::WorkerPool& workers);

}  // namespace stint::model
