// anthropic_encode: chat::Event -> the server-sent events or the JSON body of the Messages API. One encoder an answer;
// not thread-safe; owns all it needs. Streams hold no text; a whole body holds the answer until it is finished.
// Source: Anthropic's API reference. SDKs need the event lines, the final blank line, usage in message_start, and
// exactly one message_delta, which repeats the input counts (some clients read them only there, some sum them up).
#pragma once

#include <memory>

#include "serve/api/dialect.h"

namespace stint::api {

std::unique_ptr<Encoder> make_anthropic_encoder(const chat::Request& request, AnswerStamp stamp);

}  // namespace stint::api
