// The built-in forms: Jinja of our own for models without a usable template, and which form fits which vocabulary.
// Pure.
#pragma once

#include <functional>
#include <string_view>

#include "engine/template/chat_template.h"

namespace stint::chat_template {

std::string_view builtin_source(BuiltinForm form);
// "ChatML", ...: for messages.
std::string_view builtin_name(BuiltinForm form);
// By the turn markers the vocabulary has tokens for; ChatML if it has none of those known.
BuiltinForm builtin_for(const std::function<bool(std::string_view)>& has_token);

}  // namespace stint::chat_template
