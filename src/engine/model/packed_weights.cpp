#include "engine/model/packed_weights.h"

namespace stint::model {

namespace {

using kernels::PackedMatrix;

PackedMatrix packed(const MatrixSource& source, kernels::WorkerPool& workers) {
  PackedMatrix matrix(source.type, source.row_count, source.column_count);
  workers.run([&](std::uint32_t worker) {
    const kernels::Range share = kernels::share_of(matrix.panel_count(), 1, worker, workers.thread_count());
    matrix.pack_panels(source.bytes, source.row_size, share.begin, share.end);
  });
  return matrix;
}

}  // namespace

PackedWeights::PackedWeights(const gguf::File& file, const Tensors& tensors, kernels::WorkerPool& workers)
    : embedding_(tensors.embedding), tied_(tensors.tied_head()) {
  layers_.reserve(tensors.layers.size());
  for (const LayerTensors& t : tensors.layers) {
    layers_.push_back({packed(t.query, workers), packed(t.key, workers), packed(t.value, workers),
                       packed(t.attention_output, workers), packed(t.gate, workers), packed(t.up, workers),
                       packed(t.down, workers)});
    for (const MatrixSource* source : {&t.query, &t.key, &t.value, &t.attention_output, &t.gate, &t.up, &t.down})
      file.release(*source->tensor);
  }
  head_ = packed(tensors.head, workers);
  file.release(*tensors.head.tensor);
}

void PackedWeights::embedding_row(std::uint32_t token, float* out) const {
  if (tied_) return head_.unpack_row(token, out);
  kernels::dequantize_row(embedding_.type, embedding_.bytes + embedding_.row_size * token, embedding_.column_count,
                          out);
}

}  // namespace stint::model
