#include "engine/model/reference_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/model/kv_element.h"
#include "engine/model/reference_math.h"
#include "engine/model/rope.h"
#include "engine/model/step_rows.h"

namespace stint::model {

namespace {

using kernels::Range;
using kernels::share_of;

// Row-major [row_count][column_count].
struct Matrix {
  std::uint32_t row_count = 0;
  std::uint32_t column_count = 0;
  std::vector<float> values;

  const float* row(std::uint32_t index) const { return values.data() + static_cast<std::size_t>(index) * column_count; }
  float* row(std::uint32_t index) { return values.data() + static_cast<std::size_t>(index) * column_count; }
  void resize(std::uint32_t rows, std::uint32_t columns) {
    row_count = rows;
    column_count = columns;
    values.resize(static_cast<std::size_t>(rows) * columns);
  }
};

Matrix dequantised(const MatrixSource& source, kernels::WorkerPool& workers) {
  Matrix matrix;
  matrix.resize(source.row_count, source.column_count);
  workers.run([&](std::uint32_t worker) {
    const Range rows = share_of(matrix.row_count, 1, worker, workers.thread_count());
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
      kernels::dequantize_row(source.type, source.bytes + source.row_size * row, matrix.column_count, matrix.row(row));
  });
  return matrix;
}

struct LayerWeights {
  Matrix query, key, value, attention_output, gate, up, down;
};

// The rows of one step on their way through the layers; each member is [row][...].
struct Activations {
  Matrix hidden, normed, query, key, value, attended, projected, gate, up;
};

class ReferenceModel final : public Model {
 public:
  ReferenceModel(const Hyperparameters& h, const Tensors& tensors, kernels::WorkerPool& workers)
      : h_(h),
        tensors_(tensors),
        workers_(workers),
        rope_(h.head_size, h.rope_base, h.rope_position_scale, tensors.rope_divisors),
        rope_local_(h.head_size, h.rope_base_local, 1, {}),
        embedding_(dequantised(tensors.embedding, workers)) {
    if (!tensors.tied_head()) head_ = dequantised(tensors.head, workers);
    for (const LayerTensors& layer : tensors.layers) {
      layers_.push_back({dequantised(layer.query, workers), dequantised(layer.key, workers),
                         dequantised(layer.value, workers), dequantised(layer.attention_output, workers),
                         dequantised(layer.gate, workers), dequantised(layer.up, workers),
                         dequantised(layer.down, workers)});
    }
  }

  const Hyperparameters& hyperparameters() const override { return h_; }

  void run(const StepPlan& plan, StepOutput& output) override {
    rows_.assign(plan, h_.vocabulary_count, h_.embedding_size, output);
    rope_.prepare(rows_.positions());
    if (h_.window_tokens != 0) rope_local_.prepare(rows_.positions());
    resize_activations();
    workers_.run([&](std::uint32_t worker) { compute(worker, output); });
  }

 private:
  void resize_activations() {
    const std::uint32_t count = rows_.count();
    a_.hidden.resize(count, h_.embedding_size);
    a_.normed.resize(count, h_.embedding_size);
    a_.query.resize(count, h_.query_size());
    a_.key.resize(count, h_.kv_size());
    a_.value.resize(count, h_.kv_size());
    a_.attended.resize(count, h_.query_size());
    a_.projected.resize(count, h_.embedding_size);
    a_.gate.resize(count, h_.feed_forward_size);
    a_.up.resize(count, h_.feed_forward_size);
  }

  void compute(std::uint32_t worker, StepOutput& output) {
    const Range rows = share_of(rows_.count(), 1, worker, workers_.thread_count());
    embed(rows);
    for (std::uint32_t layer = 0; layer < h_.layer_count; ++layer) {
      attention_block(layer, worker, rows);
      feed_forward_block(layer, worker, rows);
    }
    finish(worker, rows, output);
  }

  void embed(Range rows) {
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      const float* embedding = embedding_.row(rows_.token(row));
      for (std::uint32_t i = 0; i < h_.embedding_size; ++i) a_.hidden.row(row)[i] = embedding[i] * h_.embedding_scale;
    }
  }

  void attention_block(std::uint32_t layer, std::uint32_t worker, Range rows) {
    const LayerTensors& t = tensors_.layers[layer];
    norm_rows(a_.hidden, t.attention_norm, rows, a_.normed);
    workers_.sync();
    multiply(layers_[layer].query, t.query_bias, a_.normed, worker, a_.query);
    multiply(layers_[layer].key, t.key_bias, a_.normed, worker, a_.key);
    multiply(layers_[layer].value, t.value_bias, a_.normed, worker, a_.value);
    workers_.sync();
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      turn_heads(layer, row, t.query_norm, h_.head_count, a_.query.row(row));
      turn_heads(layer, row, t.key_norm, h_.kv_head_count, a_.key.row(row));
      store_key_value(layer, row);
    }
    workers_.sync();
    attend(layer, worker);
    workers_.sync();
    multiply(layers_[layer].attention_output, {}, a_.attended, worker, a_.projected);
    workers_.sync();
    add_residual(t.post_attention_norm, rows);
  }

  void feed_forward_block(std::uint32_t layer, std::uint32_t worker, Range rows) {
    const LayerTensors& t = tensors_.layers[layer];
    norm_rows(a_.hidden, t.feed_forward_norm, rows, a_.normed);
    workers_.sync();
    multiply(layers_[layer].gate, {}, a_.normed, worker, a_.gate);
    multiply(layers_[layer].up, {}, a_.normed, worker, a_.up);
    workers_.sync();
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
      gate_activation(h_.activation, a_.gate.row(row), a_.up.row(row), h_.feed_forward_size);
    workers_.sync();
    multiply(layers_[layer].down, {}, a_.gate, worker, a_.projected);
    workers_.sync();
    add_residual(t.post_feed_forward_norm, rows);
  }

  void norm_rows(const Matrix& from, const std::vector<float>& weight, Range rows, Matrix& to) {
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
      rms_norm(from.row(row), weight.data(), from.column_count, h_.norm_epsilon, to.row(row));
  }

  // out[row][n] = weights[n] . in[row] + bias[n], this worker's share of n for every row.
  void multiply(const Matrix& weights, const std::vector<float>& bias, const Matrix& in, std::uint32_t worker,
                Matrix& out) {
    const Range share = share_of(weights.row_count, 1, worker, workers_.thread_count());
    for (std::uint32_t n = share.begin; n < share.end; ++n) {
      const double offset = bias.empty() ? 0.0 : static_cast<double>(bias[n]);
      for (std::uint32_t row = 0; row < in.row_count; ++row)
        out.row(row)[n] = static_cast<float>(dot(weights.row(n), in.row(row), in.column_count) + offset);
    }
  }

  // Norm (where the architecture has one) and rope of every head of a row.
  void turn_heads(std::uint32_t layer, std::uint32_t row, const std::vector<float>& norm, std::uint32_t head_count,
                  float* heads) {
    const RopeTable& rope = h_.is_windowed(layer) ? rope_local_ : rope_;
    for (std::uint32_t head = 0; head < head_count; ++head, heads += h_.head_size) {
      if (!norm.empty()) rms_norm(heads, norm.data(), h_.head_size, h_.norm_epsilon, heads);
      rotate(h_.rope_pairing, rope.row(row), heads);
    }
  }

  void store_key_value(std::uint32_t layer, std::uint32_t row) {
    kv::PageTable& table = *rows_.slice(row).pages;
    kv::PagePool& pool = table.pool();
    const std::uint32_t position = rows_.positions()[row];
    const kv::PageIndex page = table.pages()[position / kv::kPageTokens];
    const std::uint32_t slot = position % kv::kPageTokens;
    const float* key = a_.key.row(row);
    const float* value = a_.value.row(row);
    if (pool.shape().type == kv::KvType::f32)
      return store_kv_row(pool.shape(), slot, key, value, pool.keys(page, layer), pool.values(page, layer));
    std::vector<std::uint16_t> halves(std::size_t{2} * h_.kv_size());
    std::transform(key, key + h_.kv_size(), halves.begin(), kernels::f16_from_f32);
    std::transform(value, value + h_.kv_size(), halves.begin() + h_.kv_size(), kernels::f16_from_f32);
    store_kv_row(pool.shape(), slot, halves.data(), halves.data() + h_.kv_size(), pool.keys(page, layer),
                 pool.values(page, layer));
  }

  // The keys and values of one slice's positions [0, count), as floats [position][head_size].
  struct Gathered {
    std::vector<float> keys;
    std::vector<float> values;
  };

  void gather(const SequenceSlice& slice, std::uint32_t layer, std::size_t head, Gathered& gathered) const {
    const kv::PagePool& pool = slice.pages->pool();
    const std::size_t count = slice.position + slice.tokens.size();
    gathered.keys.resize(count * h_.head_size);
    gathered.values.resize(count * h_.head_size);
    for (std::size_t position = 0; position < count; ++position) {
      const kv::PageIndex page = slice.pages->pages()[position / kv::kPageTokens];
      const std::size_t slot = position % kv::kPageTokens;
      for (std::size_t d = 0; d < h_.head_size; ++d) {
        const std::size_t key = (head * h_.head_size + d) * kv::kPageTokens + slot;
        const std::size_t value = (head * kv::kPageTokens + slot) * h_.head_size + d;
        gathered.keys[position * h_.head_size + d] = load_kv(pool.shape().type, pool.keys(page, layer), key);
        gathered.values[position * h_.head_size + d] = load_kv(pool.shape().type, pool.values(page, layer), value);
      }
    }
  }

  // Every worker takes every thread_count-th row of each slice, so that long and short contexts are dealt evenly.
  void attend(std::uint32_t layer, std::uint32_t worker) {
    Gathered gathered;
    std::uint32_t first_row = 0;
    while (first_row < rows_.count()) {
      const SequenceSlice& slice = rows_.slice(first_row);
      const auto row_count = static_cast<std::uint32_t>(slice.tokens.size());
      for (std::uint32_t kv_head = 0; kv_head < h_.kv_head_count; ++kv_head) {
        gather(slice, layer, kv_head, gathered);
        for (std::uint32_t i = worker; i < row_count; i += workers_.thread_count()) {
          const std::uint32_t group = h_.head_count / h_.kv_head_count;
          for (std::uint32_t head = kv_head * group; head < (kv_head + 1) * group; ++head)
            attend_head(layer, first_row + i, head, gathered);
        }
      }
      first_row += row_count;
    }
  }

  void attend_head(std::uint32_t layer, std::uint32_t row, std::uint32_t head, const Gathered& gathered) {
    const std::uint32_t end = rows_.positions()[row] + 1;
    const std::uint32_t begin = h_.is_windowed(layer) && end > h_.window_tokens ? end - h_.window_tokens : 0;
    const float* query = a_.query.row(row) + static_cast<std::size_t>(head) * h_.head_size;
    std::vector<double> weights(end - begin);
    for (std::uint32_t p = begin; p < end; ++p) {
      const float* key = gathered.keys.data() + static_cast<std::size_t>(p) * h_.head_size;
      weights[p - begin] = dot(query, key, h_.head_size) * static_cast<double>(h_.attention_scale);
    }
    softmax(weights.data(), end - begin);
    std::vector<double> sum(h_.head_size, 0.0);
    for (std::uint32_t p = begin; p < end; ++p) {
      const float* value = gathered.values.data() + static_cast<std::size_t>(p) * h_.head_size;
      for (std::uint32_t d = 0; d < h_.head_size; ++d) sum[d] += weights[p - begin] * static_cast<double>(value[d]);
    }
    float* out = a_.attended.row(row) + static_cast<std::size_t>(head) * h_.head_size;
    for (std::uint32_t d = 0; d < h_.head_size; ++d) out[d] = static_cast<float>(sum[d]);
  }

  void add_residual(const std::vector<float>& post_norm, Range rows) {
    if (!post_norm.empty()) norm_rows(a_.projected, post_norm, rows, a_.projected);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row)
      for (std::uint32_t i = 0; i < h_.embedding_size; ++i) a_.hidden.row(row)[i] += a_.projected.row(row)[i];
  }

  void finish(std::uint32_t worker, Range rows, StepOutput& output) {
    norm_rows(a_.hidden, tensors_.output_norm, rows, a_.normed);
    workers_.sync();
    if (worker == 0) {
      for (const std::uint32_t row : rows_.pooled_rows()) {
        std::vector<float>& sum = output.pooled[rows_.slice_index(row)];
        for (std::uint32_t i = 0; i < h_.embedding_size; ++i) sum[i] += a_.normed.row(row)[i];
      }
    }
    const Matrix& head = tensors_.tied_head() ? embedding_ : head_;
    const Range share = share_of(head.row_count, 1, worker, workers_.thread_count());
    for (std::uint32_t n = share.begin; n < share.end; ++n) {
      for (std::size_t i = 0; i < rows_.logit_rows().size(); ++i) {
        const double logit = dot(head.row(n), a_.normed.row(rows_.logit_rows()[i]), h_.embedding_size);
        output.logits[i * h_.vocabulary_count + n] = static_cast<float>(capped(logit));
      }
    }
  }

  double capped(double logit) const {
    if (h_.logit_softcap == 0) return logit;
    const auto cap = static_cast<double>(h_.logit_softcap);
    return cap * std::tanh(logit / cap);
  }

  const Hyperparameters h_;
  const Tensors tensors_;
  kernels::WorkerPool& workers_;
  RopeTable rope_;
  RopeTable rope_local_;
  Matrix embedding_;
  Matrix head_;  // empty: the embedding
  std::vector<LayerWeights> layers_;
  StepRows rows_;
  Activations a_;
};

}  // namespace

std::unique_ptr<Model> make_reference_model(const Hyperparameters& hyperparameters, const Tensors& tensors,
                                            kernels::WorkerPool& workers) {
  return std::make_unique<ReferenceModel>(hyperparameters, tensors, workers);
}

}  // namespace stint::model
