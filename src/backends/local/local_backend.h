// LocalBackend: answers calls with the engine in this process: renders the chat template, tokenizes (long prompts on
// the worker thread), submits, and hands out the tickets as an EventStream. Lives on the io thread; borrows slot, loop
// and worker. Refuses what the local model cannot do with an error that names the field.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/local/engine_slot.h"
#include "platform/base/random.h"
#include "platform/net/task.h"

namespace stint::local {

// Prompts or embedding inputs of one call; each becomes a ticket.
inline constexpr std::size_t kInputCountMax = 256;
// OpenAI's default for the text completion endpoint.
inline constexpr std::uint32_t kCompletionTokensDefault = 16;

class LocalBackend final : public backends::Backend {
 public:
  LocalBackend(const EngineSlot& slot, net::Loop& loop, net::Worker& worker, base::Random& random)
      : slot_(slot), loop_(loop), worker_(worker), random_(random) {}

  std::string_view name() const override { return "local"; }
  net::Task<Result<std::unique_ptr<backends::EventStream>>> start(const backends::Call& call,
                                                                  base::Deadline deadline) override;
  net::Task<Result<std::uint64_t>> count_tokens(const backends::Call& call, base::Deadline deadline) override;

 private:
  using Prompts = std::vector<std::vector<engine::TokenId>>;
  net::Task<Result<Prompts>> encode(std::shared_ptr<engine::Engine> engine, const chat::Request& request);
  engine::Submission submission(const backends::Call& call, const engine::Engine& engine,
                                std::vector<engine::TokenId> prompt);

  const EngineSlot& slot_;
  net::Loop& loop_;
  net::Worker& worker_;
  base::Random& random_;
};

}  // namespace stint::local
