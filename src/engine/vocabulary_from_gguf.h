// Turns the tokenizer.* metadata of a GGUF file into a tokenizer::Vocabulary. Pure; the result owns what it holds.
// What llama.cpp decides by name or by the text of a token (pre-tokenizer aliases, end-of-generation tokens, whether
// BOS is put in front) is decided the same way here; qwen2 text is also brought to NFC, as its original tokenizer does.
#pragma once

#include "engine/gguf/metadata.h"
#include "platform/base/result.h"
#include "tokenizer/tokenizer.h"

namespace stint::engine {

// Errors: unsupported (tokenizer model or pre-tokenizer, naming it and what is supported); corrupt (keys missing, of
// the wrong type or length, ids out of range). Unknown merges and the like are left to Tokenizer::build.
Result<tokenizer::Vocabulary> vocabulary_from_gguf(const gguf::Metadata& metadata);

}  // namespace stint::engine
