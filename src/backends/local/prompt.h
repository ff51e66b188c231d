// Prompts: from the words of a call to the token ids that the model sees: template, special tokens, BOS. Pure; thread-safe;
// linear in the text. Special tokens come from the template alone: what people wrote is only ever text.
#pragma once

#include <cstddef>
#include <vector>

#include "chat/request.h"
#include "engine/engine.h"
#include "platform/base/result.h"

namespace stint::local {

// Bytes of text that encode_prompts would read.
std::size_t text_size(const chat::Request& request);

// One prompt for a chat or count_tokens call, one an input for complete and embed; none is empty.
// Errors: invalid_request for a token id outside the vocabulary or an empty input, naming the field.
Result<std::vector<std::vector<engine::TokenId>>> encode_prompts(const engine::Engine& engine,
                                                                 const chat::Request& request);

}  // namespace stint::local
