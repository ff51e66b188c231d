// openai_inputs: the shapes that `prompt` (completions) and `input` (embeddings) share: a string, an array of strings,
// an array of token ids, or an array of such arrays. Pure; the views it makes point into the body or the request's
// arena. Limits: kInputCountMax inputs, as OpenAI has it.
#pragma once

#include <cstddef>

#include "chat/request.h"
#include "platform/json/value.h"

namespace stint::api {

inline constexpr std::size_t kInputCountMax = 2048;

// Fills request.prompts or prompt_tokens, never both. Errors name the path: no input, an empty one where
// `empty_allowed` is false, too many, or strings mixed with tokens.
Result<void> decode_inputs(const json::Value& inputs, bool empty_allowed, chat::Request& request);

}  // namespace stint::api
