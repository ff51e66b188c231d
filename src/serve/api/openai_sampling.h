// openai_sampling: the fields that say how to generate, alike in chat completions and completions. Pure.
// Ranges are OpenAI's; top_k, min_p and repetition_penalty are the additions that local servers have made common.
// Limits: kLogitBiasCountMax biased tokens.
#pragma once

#include <cstddef>

#include "chat/request.h"
#include "platform/json/value.h"
#include "serve/api/field_reader.h"

namespace stint::api {

inline constexpr std::size_t kLogitBiasCountMax = 1024;

// Sampling (logprobs left out: the two endpoints differ), stop, stream, stream_options, n, user. Errors go to `reader`.
void read_openai_sampling(const json::Value& root, FieldReader& reader, chat::Request& request);

}  // namespace stint::api
