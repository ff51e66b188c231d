#include "engine/model/packed_model.h"

#include <cmath>
#include <vector>

#include "engine/model/attention_jobs.h"
#include "engine/model/kv_element.h"
#include "engine/model/packed_weights.h"
#include "engine/model/rope.h"
#include "engine/model/step_rows.h"

namespace stint::model {

namespace {

using kernels::ActivationRows;
using kernels::PackedMatrix;
using kernels::QuantizedRow;
using kernels::Range;
using kernels::share_of;

constexpr std::uint32_t kBlock = kernels::kBlockColumns;

// What a worker does between two sync points. A step is one WorkerPool::run; every worker walks all layers and meets
// the others at sync(). Matrices are shared out by rows of weights, the rest by rows of the step (tokens). Both roles
// take the same path here: the integer product of a row does not depend on how many rows there are.
class PackedModel final : public Model {
 public:
  PackedModel(const gguf::File& file, const Hyperparameters& h, const Tensors& tensors,
              const kernels::KernelTable& table, kernels::WorkerPool& workers)
      : h_(h),
        tensors_(tensors),
        kernels_(table),
        workers_(workers),
        weights_(file, tensors, workers),
        rope_(h.head_size, h.rope_base, h.rope_position_scale, tensors.rope_divisors),
        rope_local_(h.head_size, h.rope_base_local, 1, {}) {}

  const Hyperparameters& hyperparameters() const override { return h_; }

  void run(const StepPlan& plan, StepOutput& output) override {
    rows_.assign(plan, h_.vocabulary_count, h_.embedding_size, output);
    jobs_.assign(h_, rows_);
    rope_.prepare(rows_.positions());
    if (h_.window_tokens != 0) rope_local_.prepare(rows_.positions());
    resize_activations();
    workers_.run([&](std::uint32_t worker) { compute(worker, output); });
  }

 private:
  void resize_activations() {
    const std::size_t count = rows_.count();
    hidden_.resize(count * h_.embedding_size);
    projected_.resize(count * h_.embedding_size);
    query_.resize(count * h_.query_size());
    key_.resize(count * h_.kv_size());
    value_.resize(count * h_.kv_size());
    up_.resize(count * h_.feed_forward_size);
    halves_.resize(count * 2 * h_.kv_size());
    normed_.resize(rows_.count(), h_.embedding_size);
    attended_.resize(rows_.count(), h_.query_size());
    gated_.resize(rows_.count(), h_.feed_forward_size);
    wanted_.resize(static_cast<std::uint32_t>(rows_.logit_rows().size()), h_.embedding_size);
  }

  void compute(std::uint32_t worker, StepOutput& output) {
    const Range rows = share_of(rows_.count(), 1, worker, workers_.thread_count());
    embed(rows);
    for (std::uint32_t index = 0; index < h_.layer_count; ++index) {
      const LayerTensors& t = tensors_.layers[index];
      const PackedLayer& layer = weights_.layer(index);
      norm_rows(t.attention_norm, rows);
      workers_.sync();
      multiply(layer.query, normed_, worker, query_.data());
      multiply(layer.key, normed_, worker, key_.data());
      multiply(layer.value, normed_, worker, value_.data());
      workers_.sync();
      for (std::uint32_t row = rows.begin; row < rows.end; ++row) place_row(index, row);
      workers_.sync();
      attend(index, worker, rows);
      workers_.sync();
      multiply(layer.attention_output, attended_, worker, projected_.data());
      workers_.sync();
      add_residual(t.post_attention_norm, rows);
      norm_rows(t.feed_forward_norm, rows);
      workers_.sync();
      multiply_gated(layer, worker);
      workers_.sync();
      multiply(layer.down, gated_, worker, projected_.data());
      workers_.sync();
      add_residual(t.post_feed_forward_norm, rows);
    }
    finish(worker, output);
  }

  void embed(Range rows) {
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      weights_.embedding_row(rows_.token(row), hidden(row));
      for (std::uint32_t i = 0; i < h_.embedding_size; ++i) hidden(row)[i] *= h_.embedding_scale;
    }
  }

  // hidden -> normed_, in both forms.
  void norm_rows(const std::vector<float>& weight, Range rows) {
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      kernels_.rms_norm(hidden(row), weight.data(), h_.embedding_size, h_.norm_epsilon, normed_.values(row));
      kernels_.quantize(normed_.values(row), h_.embedding_size, normed_.quantized(row));
    }
  }

  // This worker's share of the outputs of every row.
  void multiply(const PackedMatrix& weights, const ActivationRows& in, std::uint32_t worker, float* out) {
    const Range panels = share_of(weights.panel_count(), 1, worker, workers_.thread_count());
    kernels_.multiply(weights, in, panels.begin, panels.end, out, weights.row_count());
  }

  // Bias, norm and rope of one row's queries and keys; its keys and values into their page.
  void place_row(std::uint32_t layer, std::uint32_t row) {
    const LayerTensors& t = tensors_.layers[layer];
    float* query = query_.data() + std::size_t{row} * h_.query_size();
    float* key = key_.data() + std::size_t{row} * h_.kv_size();
    float* value = value_.data() + std::size_t{row} * h_.kv_size();
    add_bias(t.query_bias, query);
    add_bias(t.key_bias, key);
    add_bias(t.value_bias, value);
    turn_heads(layer, row, t.query_norm, h_.head_count, query);
    turn_heads(layer, row, t.key_norm, h_.kv_head_count, key);
    store(layer, row, key, value);
  }

  static void add_bias(const std::vector<float>& bias, float* values) {
    for (std::size_t i = 0; i < bias.size(); ++i) values[i] += bias[i];
  }

  void turn_heads(std::uint32_t layer, std::uint32_t row, const std::vector<float>& norm, std::uint32_t head_count,
                  float* heads) {
    const RopeTable& rope = h_.is_windowed(layer) ? rope_local_ : rope_;
    for (std::uint32_t head = 0; head < head_count; ++head, heads += h_.head_size) {
      if (!norm.empty()) kernels_.rms_norm(heads, norm.data(), h_.head_size, h_.norm_epsilon, heads);
      rotate(h_.rope_pairing, rope.row(row), heads);
    }
  }

  void store(std::uint32_t layer, std::uint32_t row, const float* key, const float* value) {
    const kv::PageTable& table = *rows_.slice(row).pages;
    kv::PagePool& pool = table.pool();
    const std::uint32_t position = rows_.positions()[row];
    const kv::PageIndex page = table.pages()[position / kv::kPageTokens];
    const std::uint32_t slot = position % kv::kPageTokens;
    if (pool.shape().type == kv::KvType::f32)
      return store_kv_row(pool.shape(), slot, key, value, pool.keys(page, layer), pool.values(page, layer));
    std::uint16_t* key_halves = halves_.data() + std::size_t{row} * 2 * h_.kv_size();
    std::uint16_t* value_halves = key_halves + h_.kv_size();
    kernels_.halves_from_floats(key, h_.kv_size(), key_halves);
    kernels_.halves_from_floats(value, h_.kv_size(), value_halves);
    store_kv_row(pool.shape(), slot, key_halves, value_halves, pool.keys(page, layer), pool.values(page, layer));
  }

  // Jobs in turn; their outputs are quantised by who computed them where a head is whole blocks, else in a phase of its
  // own.
  void attend(std::uint32_t layer, std::uint32_t worker, Range rows) {
    const bool by_head = h_.head_size % kBlock == 0;
    for (std::uint32_t i = worker; i < jobs_.count(); i += workers_.thread_count()) {
      const kernels::AttentionJob job = jobs_.job(i, layer, query_.data(), attended_.values(0));
      kernels_.attend(job);
      for (std::uint32_t r = 0; by_head && r < job.row_count; ++r) {
        const auto at = static_cast<std::size_t>(job.rows[r].out - attended_.values(0));
        const auto row = static_cast<std::uint32_t>(at / h_.query_size());
        quantize_part(attended_, row, static_cast<std::uint32_t>(at % h_.query_size()), h_.head_size);
      }
    }
    if (by_head) return;
    workers_.sync();
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
      kernels_.quantize(attended_.values(row), h_.query_size(), attended_.quantized(row));
  }

  // Requires: begin is a multiple of a block.
  void quantize_part(ActivationRows& rows, std::uint32_t row, std::uint32_t begin, std::uint32_t count) {
    const QuantizedRow whole = rows.quantized(row);
    const std::uint32_t block = begin / kBlock;
    kernels_.quantize(rows.values(row) + begin, count,
                      {whole.quants + begin, whole.scales + block, whole.sums + block, whole.half_sums + 2 * block});
  }

  // Gate and up for this worker's columns of the feed-forward block, combined and quantised without a sync point
  // between.
  void multiply_gated(const PackedLayer& layer, std::uint32_t worker) {
    const Range columns = share_of(h_.feed_forward_size, kBlock, worker, workers_.thread_count());
    if (columns.begin == columns.end) return;
    const std::uint32_t begin = columns.begin / kernels::kPanelRows;
    const std::uint32_t end = (columns.end + kernels::kPanelRows - 1) / kernels::kPanelRows;
    kernels_.multiply(layer.gate, normed_, begin, end, gated_.values(0), h_.feed_forward_size);
    kernels_.multiply(layer.up, normed_, begin, end, up_.data(), h_.feed_forward_size);
    const auto function =
        h_.activation == Activation::silu ? kernels::GateFunction::silu : kernels::GateFunction::gelu_tanh;
    const std::uint32_t count = columns.end - columns.begin;
    for (std::uint32_t row = 0; row < rows_.count(); ++row) {
      float* gate = gated_.values(row) + columns.begin;
      const float* up = up_.data() + std::size_t{row} * h_.feed_forward_size + columns.begin;
      kernels_.apply_gate(function, gate, up, count, gate);
      quantize_part(gated_, row, columns.begin, count);
    }
  }

  void add_residual(const std::vector<float>& post_norm, Range rows) {
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      float* projected = projected_.data() + std::size_t{row} * h_.embedding_size;
      if (!post_norm.empty())
        kernels_.rms_norm(projected, post_norm.data(), h_.embedding_size, h_.norm_epsilon, projected);
      for (std::uint32_t i = 0; i < h_.embedding_size; ++i) hidden(row)[i] += projected[i];
    }
  }

  // Only wanted rows go through the final norm and the head.
  void finish(std::uint32_t worker, StepOutput& output) {
    workers_.sync();
    const Range rows = share_of(wanted_.row_count(), 1, worker, workers_.thread_count());
    for (std::uint32_t i = rows.begin; i < rows.end; ++i) {
      const float* from = hidden(rows_.logit_rows()[i]);
      kernels_.rms_norm(from, tensors_.output_norm.data(), h_.embedding_size, h_.norm_epsilon, wanted_.values(i));
      kernels_.quantize(wanted_.values(i), h_.embedding_size, wanted_.quantized(i));
    }
    if (worker == 0) pool_rows(output);
    workers_.sync();
    if (wanted_.row_count() == 0) return;
    const Range panels = share_of(weights_.head().panel_count(), 1, worker, workers_.thread_count());
    kernels_.multiply(weights_.head(), wanted_, panels.begin, panels.end, output.logits.data(), h_.vocabulary_count);
    if (h_.logit_softcap != 0) cap_logits(panels, output);
  }

  void pool_rows(StepOutput& output) {
    for (const std::uint32_t row : rows_.pooled_rows()) {
      kernels_.rms_norm(hidden(row), tensors_.output_norm.data(), h_.embedding_size, h_.norm_epsilon,
                        normed_.values(row));
      std::vector<float>& sum = output.pooled[rows_.slice_index(row)];
      for (std::uint32_t i = 0; i < h_.embedding_size; ++i) sum[i] += normed_.values(row)[i];
    }
  }

  void cap_logits(Range panels, StepOutput& output) const {
    const std::uint32_t end = std::min(panels.end * kernels::kPanelRows, h_.vocabulary_count);
    for (std::size_t row = 0; row < wanted_.row_count(); ++row) {
      float* logits = output.logits.data() + row * h_.vocabulary_count;
      for (std::uint32_t n = panels.begin * kernels::kPanelRows; n < end; ++n)
        logits[n] = h_.logit_softcap * std::tanh(logits[n] / h_.logit_softcap);
    }
  }

  float* hidden(std::uint32_t row) { return hidden_.data() + std::size_t{row} * h_.embedding_size; }

  const Hyperparameters h_;
  const Tensors tensors_;
  const kernels::KernelTable& kernels_;
  kernels::WorkerPool& workers_;
  PackedWeights weights_;
  RopeTable rope_;
  RopeTable rope_local_;
  StepRows rows_;
  AttentionJobs jobs_;
  // Of the step, [row][...].
  std::vector<float> hidden_, projected_, query_, key_, value_, up_;
  std::vector<std::uint16_t> halves_;  // keys and values as f16
  ActivationRows normed_, attended_, gated_;
  ActivationRows wanted_;  // rows whose logits are asked for
};

}  // namespace

std::unique_ptr<Model> make_packed_model(const gguf::File& file, const Hyperparameters& hyperparameters,
                                         const Tensors& tensors, const kernels::KernelTable& kernels,
                                         kernels::WorkerPool& workers) {
  return std::make_unique<PackedModel>(file, hyperparameters, tensors, kernels, workers);
}

}  // namespace stint::model
