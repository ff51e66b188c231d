// openai_embedding_encode: embedding events -> the body of /v1/embeddings, as floats or as base64. One encoder an
// answer; not thread-safe. Holds the written vectors until the answer is finished; bounded by kInputCountMax inputs.
// Source: OpenAI's API reference.
#pragma once

#include <memory>

#include "serve/api/dialect.h"

namespace stint::api {

std::unique_ptr<Encoder> make_openai_embedding_encoder(const chat::Request& request);

}  // namespace stint::api
