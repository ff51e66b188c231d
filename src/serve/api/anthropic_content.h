// anthropic_content: system prompt and messages of the Anthropic Messages API -> chat::Message. Pure; the views it
// makes point into the body or the request's arena. Blocks of unknown types are kept as opaque, because a gateway must
// pass what it does not know. Limits: kMessageCountMax messages, those of json::Document.
#pragma once

#include "chat/request.h"
#include "platform/json/value.h"

namespace stint::api {

// `system`: absent, null, a string or an array of text blocks; becomes the first message. Errors name the path.
Result<void> decode_anthropic_system(const json::Value& system, chat::Request& request);

// `messages`; roles user, assistant and system; sets continues_assistant and notes images and documents as needs.
Result<void> decode_anthropic_messages(const json::Value& messages, chat::Request& request);

}  // namespace stint::api
