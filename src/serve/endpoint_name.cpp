#include "serve/endpoint_name.h"

#include "platform/base/assert.h"

namespace stint::serve {

std::string_view endpoint_name(api::Endpoint endpoint) {
  switch (endpoint) {
    case api::Endpoint::messages:
      return "messages";
    case api::Endpoint::count_tokens:
      return "count_tokens";
    case api::Endpoint::chat_completions:
      return "chat_completions";
    case api::Endpoint::completions:
      return "completions";
    case api::Endpoint::embeddings:
      return "embeddings";
    case api::Endpoint::models:
      return "models";
    case api::Endpoint::model:
      return "model";
    case api::Endpoint::hello:
      return "hello";
    case api::Endpoint::health:
      return "health";
    case api::Endpoint::ready:
      return "ready";
  }
  STINT_ASSERT(false);
}

}  // namespace stint::serve
