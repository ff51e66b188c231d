// Conversations in the form strict templates ask for: no system turn, user and assistant in alternation. Pure.
#pragma once

#include <vector>

#include "engine/template/chat_template.h"

namespace stint::chat_template {

// Neighbours of the same role become one, their contents joined by an empty line. Turns with tool calls or tool results
// stay as they are.
std::vector<Message> merge_neighbours(std::vector<Message> messages);

// System turns go to the front of the first user turn behind them, or become a user turn of their own. Neighbours are
// merged.
std::vector<Message> fold_system(std::vector<Message> messages);

}  // namespace stint::chat_template
