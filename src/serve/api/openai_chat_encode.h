// openai_chat_encode: chat::Event -> the chunks or the body of chat completions. One encoder an answer; not
// thread-safe; owns all it needs. Streams hold no text; a whole body holds the answers until they are finished.
#pragma once

#include <memory>

#include "serve/api/dialect.h"

namespace stint::api {

std::unique_ptr<Encoder> make_openai_chat_encoder(const chat::Request& request, const AnswerStamp& stamp);

}  // namespace stint::api
