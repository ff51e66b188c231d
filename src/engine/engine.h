// Engine: runs one GGUF model on the CPU; continuous batching, paged KV cache, sampling. The library's public header.
// Thread-safe: submit, cancel, Ticket and stats may be used from any thread. The engine owns its driver and worker
// threads and the model; a Ticket may outlive it (it then ends with `unavailable`). Limits: kQueueCountMax waiting
// submissions, `max_resident_tokens` of KV over all running ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/messages.h"
#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "tokenizer/tokenizer.h"

namespace stint::chat_template {
class ChatTemplate;
}

namespace stint::engine {

inline constexpr std::size_t kQueueCountMax = 1024;

struct EngineSettings {
  std::string model_path;
  std::uint32_t thread_count = 0;            // 0: as many as affinity and cgroup quota allow
  std::string kernel_tier = "auto";          // auto, reference, portable, avx2, ...
  std::string kv_type = "f16";               // f16, f32
  std::uint32_t max_resident_tokens = 4096;  // KV tokens of all running sequences; a lone longer one may exceed it
  std::uint32_t context_tokens = 0;          // longest sequence; 0: what the model was trained for, at most 8192
  std::uint32_t step_token_budget = 256;     // tokens of one step: decodes first, prefill chunks fill the rest
};

struct ModelInfo {
  std::string name;          // general.name
  std::string architecture;  // llama, qwen2, qwen3, gemma3
  std::uint64_t parameter_count = 0;
  std::uint64_t file_size = 0;
  std::uint32_t context_tokens = 0;
  std::uint32_t embedding_size = 0;
  std::uint32_t layer_count = 0;
  std::string kernel_tier;  // the one in use
};

// A plain snapshot; the engine itself knows nothing of metrics.
struct EngineStats {
  std::uint64_t steps = 0;
  std::uint64_t prefill_tokens = 0;
  std::uint64_t decode_tokens = 0;
  std::uint64_t submitted = 0;
  std::uint64_t finished = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t rejected = 0;  // refused by submit: queue full
  std::uint64_t preempted = 0;
  std::uint32_t waiting = 0;
  std::uint32_t running = 0;
  std::uint32_t kv_pages_used = 0;
  std::uint32_t kv_pages_total = 0;
  double step_seconds_total = 0;
  double batch_fill = 0;  // tokens of the last step / step_token_budget
};

// One submission under way. Move-only; destruction cancels.
class Ticket {
 public:
  struct Shared;
  explicit Ticket(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  ~Ticket();
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&& other) noexcept;

  // What has been produced since the last call, merged into one Output; nullopt if nothing is new. Never blocks.
  std::optional<Output> try_next();
  // Blocks until try_next has something; for the command line and tests.
  Output wait_next();
  // Cannot fail and cannot block; the next step no longer contains the sequence. A `finish` still follows.
  void cancel();

 private:
  std::shared_ptr<Shared> shared_;
};

class Engine {
 public:
  // Maps the file, packs the weights, starts the threads. Errors: io, corrupt, unsupported (naming tensor, type or
  // architecture and what is supported), invalid_request (settings).
  static Result<std::unique_ptr<Engine>> load(const EngineSettings& settings, const base::Clock& clock);
  ~Engine();

  // Errors: overloaded (queue full), invalid_request with code context_length_exceeded (prompt does not fit; the
  // message gives both counts), unavailable (shutting down).
  Result<Ticket> submit(Submission submission);

  const ModelInfo& model_info() const;
  const tokenizer::Tokenizer& tokenizer() const;
  const chat_template::ChatTemplate& chat_template() const;
  EngineStats stats() const;

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stint::engine
