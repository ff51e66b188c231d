// Decoding of arbitrary bodies in both dialects: no crash, every error is a client's and names its field, every span
// lies in the body, and what was decoded can be cut and re-read. The first byte picks the endpoint.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/json/document.h"
#include "platform/json/edits.h"
#include "serve/api/dialect.h"

namespace {

using stint::api::Endpoint;
using stint::chat::DialectId;

constexpr std::array kEndpoints{Endpoint::messages, Endpoint::count_tokens, Endpoint::chat_completions,
                                Endpoint::completions, Endpoint::embeddings};

void check_request(const stint::chat::Request& request) {
  const std::string& body = *request.body;
  STINT_ASSERT(body.at(request.model_span.begin) == '"' && body.at(request.model_span.end - 1) == '"');
  stint::json::Edits edits;
  edits.replace({request.model_span.begin, request.model_span.end}, "\"other\"");
  for (const auto span : request.own_field_spans) edits.remove_member({span.begin, span.end});
  const std::string edited = edits.apply(body);
  STINT_ASSERT(stint::json::Document::parse(edited).has_value());
  for (const auto& message : request.messages) {
    STINT_ASSERT(message.source.begin < message.source.end && message.source.end <= body.size());
    for (const auto& part : message.parts) {
      STINT_ASSERT(part.source.empty() || body.at(part.source.begin) == '{');
    }
  }
  STINT_ASSERT(request.prompts.empty() || request.prompt_tokens.empty());
  STINT_ASSERT(request.choice_count >= 1 && request.needs.size() <= 9);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Endpoint endpoint = kEndpoints[data[0] % kEndpoints.size()];
  const bool is_anthropic = endpoint == Endpoint::messages || endpoint == Endpoint::count_tokens;
  stint::net::HttpRequest http;
  http.headers = {{"anthropic-version", "2026-10-21"}};
  http.body = std::make_shared<const std::string>(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto& dialect = stint::api::dialect(is_anthropic ? DialectId::anthropic : DialectId::openai);
  const auto request = dialect.decode(endpoint, http);
  if (request) {
    check_request(*request);
    return 0;
  }
  const stint::Error& error = request.error();
  STINT_ASSERT(error.kind == stint::ErrorKind::invalid_request || error.kind == stint::ErrorKind::too_large);
  STINT_ASSERT(error.message.starts_with(error.param) && error.message.ends_with('.'));
  return 0;
}
