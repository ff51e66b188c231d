// PackedWeights: the matrices of a model in the kernels' panel layout. Packing drops the file's pages behind it, so
// that the weights are in memory once. Immutable after load; owns the panels, borrows the file for an untied embedding.
#pragma once

#include <vector>

#include "engine/gguf/file.h"
#include "engine/kernels/packed_matrix.h"
#include "engine/kernels/worker_pool.h"
#include "engine/model/tensors.h"

namespace stint::model {

struct PackedLayer {
  kernels::PackedMatrix query, key, value, attention_output, gate, up, down;
};

class PackedWeights {
 public:
  PackedWeights(const gguf::File& file, const Tensors& tensors, kernels::WorkerPool& workers);

  const PackedLayer& layer(std::uint32_t index) const { return layers_[index]; }
  const kernels::PackedMatrix& head() const { return head_; }
  // The values of one token's row: out of the head where that is the same tensor, else out of the mapped file.
  void embedding_row(std::uint32_t token, float* out) const;

 private:
  std::vector<PackedLayer> layers_;
  kernels::PackedMatrix head_;
  MatrixSource embedding_;
  bool tied_ = false;
};

}  // namespace stint::model
