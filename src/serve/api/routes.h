// Routes: which endpoint a method and path name, and which dialect an answer must speak even when there is none.
// Pure functions. The query never decides (`?beta=true` is the same endpoint).
#pragma once

#include <string>
#include <string_view>

#include "chat/event.h"
#include "platform/base/result.h"

namespace stint::api {

enum class Endpoint : std::uint8_t {
  messages,
  count_tokens,
  chat_completions,
  completions,
  embeddings,
  models,  // the list
  model,   // one of them
  hello,   // Claude Code's warm-up probe: any answer is fine
  health,
  ready,
};

struct Route {
  Endpoint endpoint = Endpoint::messages;
  chat::DialectId dialect = chat::DialectId::openai;
  std::string model;  // Endpoint::model: the id, percent escapes undone
};

// An anthropic-version header or an Anthropic path means Anthropic, everything else OpenAI.
chat::DialectId guess_dialect(std::string_view path, bool has_anthropic_version);

// `path` without its query. Errors: not_found for an unknown path, method_not_allowed for a known one; both are to be
// encoded in guess_dialect(), the latter with allowed_methods().
Result<Route> find_route(std::string_view method, std::string_view path, bool has_anthropic_version);

// The value of the `allow` header for a known path, empty for an unknown one.
std::string_view allowed_methods(std::string_view path);

}  // namespace stint::api
