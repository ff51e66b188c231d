// Makes the variables a chat template reads (messages, tools, bos_token, ...) out of a RenderInput. Free functions; the
// values borrow from the input.
#pragma once

#include "engine/template/chat_template.h"
#include "engine/template/interpreter.h"
#include "engine/template/value.h"

namespace stint::chat_template {

// How a message's content is handed over: as a string, or as a list with one part of type text, for templates that know
// only lists.
enum class ContentForm : std::uint8_t { string, parts };

// Throws TemplateError if tools or variables are not JSON.
void set_variables(const RenderInput& input, ContentForm content_form, Arena& arena, Interpreter& interpreter);

// Bytes of everything in the input.
std::size_t input_size(const RenderInput& input);

}  // namespace stint::chat_template
