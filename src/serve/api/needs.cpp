#include "serve/api/needs.h"

#include <algorithm>

namespace stint::api {

void note_need(chat::Request& request, chat::Feature feature, const json::Value& field) {
  if (std::ranges::count(request.needs, feature, &chat::Need::feature) > 0) return;
  request.needs.push_back({feature, field.path()});
}

}  // namespace stint::api
