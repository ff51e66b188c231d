// A real engine over a model of random weights, small enough to load in every test program. Its answers are gibberish;
// tests that need certain words push their tokens by logit_bias. Links engine.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "tests/fakes/random_gguf.h"
#include "tests/fakes/temporary_file.h"

namespace stint::fakes {

inline constexpr std::uint32_t kTinyContextTokens = 256;

// The file may go once the engine is loaded: it stays mapped.
inline std::shared_ptr<engine::Engine> tiny_engine(const base::Clock& clock, RandomModel model = RandomModel::llama) {
  const TemporaryFile file(random_gguf({.model = model}));
  const engine::EngineSettings settings{
      .model_path = file.path(), .thread_count = 1, .context_tokens = kTinyContextTokens};
  Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::load(settings, clock);
  STINT_ASSERT(engine.has_value());
  return std::move(*engine);
}

}  // namespace stint::fakes
