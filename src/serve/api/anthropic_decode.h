// anthropic_decode: bodies of /v1/messages and /v1/messages/count_tokens -> chat::Request. Pure; the request shares the
// body. Both API versions are accepted (2023-06-01, 2026-10-21); sampling fields too on either, because clients send
// them anyway. Unknown fields are ignored: a gateway passes them on, and the local model has no use for them. Source:
// Anthropic's API reference; limits: those of json::Document and FieldReader.
#pragma once

#include "chat/request.h"
#include "platform/net/http_message.h"
#include "serve/api/routes.h"

namespace stint::api {

// Requires: Endpoint::messages or count_tokens, and a body.
Result<chat::Request> decode_anthropic(Endpoint endpoint, const net::HttpRequest& http);

}  // namespace stint::api
