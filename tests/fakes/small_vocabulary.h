// Small tokenizers in GGUF form for random-weight models: complete (any bytes can be encoded), consistent (every
// merge's parts and result are tokens), with control tokens and a chat template. Pure functions.
#pragma once

#include <cstdint>

#include "tests/fakes/gguf_writer.h"

namespace stint::fakes {

enum class SmallVocabulary : std::uint8_t { smollm, qwen2, llama_bpe, gemma };

// Writes the tokenizer.* keys; returns the number of tokens.
std::uint32_t write_vocabulary(SmallVocabulary vocabulary, GgufWriter& writer);

}  // namespace stint::fakes
