// From a decoded request to the conversation that a chat template renders. Pure; thread-safe.
#pragma once

#include "chat/request.h"
#include "engine/template/chat_template.h"

namespace stint::local {

// One message a turn: texts of a turn joined by line breaks, tool calls and tool results as messages of their own where
// templates expect them. The first line that agents add for billing is left out: it changes with every call and would
// make every prompt a new one (claude-code issue 50085).
chat_template::RenderInput conversation(const chat::Request& request);

}  // namespace stint::local
