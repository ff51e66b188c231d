// openai_decode: bodies of /v1/chat/completions, /v1/completions and /v1/embeddings -> chat::Request. Pure; the request
// shares the body. Unknown fields are ignored: a gateway passes them on, and the local model has no use for them.
// Source: OpenAI's API reference; limits: those of json::Document, FieldReader and openai_inputs.h.
#pragma once

#include "chat/request.h"
#include "platform/net/http_message.h"
#include "serve/api/routes.h"

namespace stint::api {

// Requires: Endpoint::chat_completions, completions or embeddings, and a body.
Result<chat::Request> decode_openai(Endpoint endpoint, const net::HttpRequest& http);

}  // namespace stint::api
