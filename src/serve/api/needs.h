// needs: notes that a request asks for more than text, once a feature, with the path of the first field that does.
// Pure; a path is computed only for that first field, so that a body full of images costs one look-up.
// Bounded by the number of features.
#pragma once

#include "chat/request.h"
#include "platform/json/value.h"

namespace stint::api {

void note_need(chat::Request& request, chat::Feature feature, const json::Value& field);

}  // namespace stint::api
