// Need: something a call asks for beyond text in and text out. decode notes it with the path of the field; each backend
// decides whether it can (a provider often can, the local model often cannot). Plain value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace stint::chat {

enum class Feature : std::uint8_t {
  image,
  document,
  audio,
  json_object,   // output that is some JSON object
  json_schema,   // output that obeys a schema
  many_choices,  // n > 1
  best_of,       // several answers generated, the best returned
  suffix,        // text that must follow the answer
  thread,        // history kept by the server
};

struct Need {
  Feature feature = Feature::image;
  std::string path;  // of the first field that asks for it, dotted
};

// What a backend that cannot answers: `unsupported`, naming the field, what `who` ("the local model") cannot do and
// what to do instead. A refused thread carries the code that makes Anthropic's SDKs resend the whole history.
base::Error refusal(const Need& need, std::string_view who);

}  // namespace stint::chat
