// openai_completion_encode: chat::Event -> the chunks or the body of completions; both are text_completion objects. One
// encoder an answer; not thread-safe; owns all it needs, the prompts too where they are echoed. Streams hold no answer
// text; a whole body holds the answers until they are finished. Only text prompts are echoed: token ids are the
// backend's to turn into text.
#pragma once

#include <memory>

#include "serve/api/dialect.h"

namespace stint::api {

std::unique_ptr<Encoder> make_openai_completion_encoder(const chat::Request& request, const AnswerStamp& stamp);

}  // namespace stint::api
