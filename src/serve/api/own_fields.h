// own_fields: Stint's own request fields, read from the body and from headers of the same meaning, in every dialect.
// Pure; the views it fills point into the request's body or arena.
// Bodies: session_id, resume_from, cache, cache_bypass, urgent, quantization. Headers, which win because operators set
// them: x-stint-session, x-stint-resume-from, x-stint-cache, x-stint-priority, x-stint-user.
#pragma once

#include "chat/request.h"
#include "platform/json/value.h"
#include "platform/net/http_message.h"
#include "serve/api/field_reader.h"

namespace stint::api {

// Fills request.own and own_field_spans. Errors go to `reader`: a wrong type, or a cache mode that is none of off,
// refresh, exact, near.
void read_own_fields(const json::Value& root, FieldReader& reader, chat::Request& request);

// Fills request.own and end_user from headers; call after read_own_fields.
void read_own_headers(const net::Headers& headers, FieldReader& reader, chat::Request& request);

}  // namespace stint::api
