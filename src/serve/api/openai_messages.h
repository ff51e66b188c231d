// openai_messages: the messages of chat completions -> chat::Message. Pure; the views it makes point into the body or
// the request's arena. developer is system, function is tool. Content parts of unknown types are kept as opaque.
// Limits: kMessageCountMax messages, those of json::Document.
#pragma once

#include "chat/request.h"
#include "platform/json/value.h"

namespace stint::api {

// Errors name the path. Notes images, audio and files as needs.
Result<void> decode_openai_messages(const json::Value& messages, chat::Request& request);

}  // namespace stint::api
