#include "chat/need.h"

#include <fmt/format.h>

#include "platform/base/assert.h"

namespace stint::chat {
namespace {

struct Wording {
  std::string_view cannot;
  std::string_view instead;
};

Wording wording(Feature feature) {
  switch (feature) {
    case Feature::image:
      return {"cannot read images", "send text only"};
    case Feature::document:
      return {"cannot read documents", "send their text instead"};
    case Feature::audio:
      return {"cannot take or make audio", "send text only"};
    case Feature::json_object:
    case Feature::json_schema:
      return {"cannot hold its output to JSON", "leave this field out or set it to text"};
    case Feature::many_choices:
      return {"gives one answer a request", "set this field to 1 and send several requests"};
    case Feature::best_of:
      return {"cannot choose the best of several answers", "set this field to 1"};
    case Feature::suffix:
      return {"cannot fill in text before a suffix", "leave this field out"};
    case Feature::thread:
      return {"keeps no conversation", "send the whole history without this field"};
  }
  STINT_ASSERT(false);
}

}  // namespace

base::Error refusal(const Need& need, std::string_view who) {
  const Wording words = wording(need.feature);
  return {base::ErrorKind::unsupported, fmt::format("{}: {} {}; {}.", need.path, who, words.cannot, words.instead),
          need.path, need.feature == Feature::thread ? "thread_unsupported_request" : ""};
}

}  // namespace stint::chat
