#include "serve/api/openai_decode.h"

#include <limits>

#include "platform/base/assert.h"
#include "platform/json/document.h"
#include "platform/json/fields.h"
#include "serve/api/field_reader.h"
#include "serve/api/needs.h"
#include "serve/api/openai_inputs.h"
#include "serve/api/openai_messages.h"
#include "serve/api/openai_sampling.h"
#include "serve/api/own_fields.h"

namespace stint::api {
namespace {

using json::Fields;
using json::Value;

constexpr std::uint32_t kCountMax = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kTopLogprobsMax = 20;
constexpr std::uint32_t kCompletionLogprobsMax = 5;
constexpr std::uint32_t kCompletionTokensDefault = 16;
constexpr std::uint32_t kBestOfMax = 20;

void read_response_format(const Value& format, FieldReader& reader, chat::Request& request) {
  if (reader.failed() || !format.given()) return;
  auto fields = Fields<"type">::read(format);
  if (!fields) return reader.fail(std::move(fields.error()));
  const Value type = fields->get<"type">();
  if (type.equals("text")) return;
  if (type.equals("json_object")) return note_need(request, chat::Feature::json_object, format);
  if (type.equals("json_schema")) return note_need(request, chat::Feature::json_schema, format);
  reader.fail(format.member_error("type", "must be one of text, json_object, json_schema."));
}

void read_modalities(const Value& modalities, FieldReader& reader, chat::Request& request) {
  if (reader.failed() || !modalities.given()) return;
  auto values = modalities.array();
  if (!values) return reader.fail(std::move(values.error()));
  for (const Value modality : *values) {
    if (modality.equals("audio")) note_need(request, chat::Feature::audio, modalities);
  }
}

Result<void> decode_chat(const Value& root, FieldReader& reader, chat::Request& request) {
  const auto fields = Fields<"messages", "max_completion_tokens", "max_tokens", "logprobs", "top_logprobs",
                             "response_format", "tools", "modalities">::read(root);
  if (!fields) return std::unexpected(fields.error());
  request.kind = chat::CallKind::chat;
  reader.integer(fields->get<"max_tokens">(), 1, kCountMax, request.max_output_tokens);
  reader.integer(fields->get<"max_completion_tokens">(), 1, kCountMax, request.max_output_tokens);
  reader.boolean(fields->get<"logprobs">(), request.sampling.logprobs);
  reader.integer(fields->get<"top_logprobs">(), 0, kTopLogprobsMax, request.sampling.top_logprobs);
  if (request.sampling.top_logprobs > 0 && !request.sampling.logprobs) {
    reader.fail(fields->get<"top_logprobs">().error("needs logprobs to be true."));
  }
  read_response_format(fields->get<"response_format">(), reader, request);
  read_modalities(fields->get<"modalities">(), reader, request);
  if (const Value tools = fields->get<"tools">(); tools.given()) {
    if (const auto array = tools.array(); !array) return std::unexpected(array.error());
    request.tools_span = byte_span(tools.span());
  }
  if (reader.failed()) return std::unexpected(reader.error());
  const auto messages = fields->require<"messages">();
  if (!messages) return std::unexpected(messages.error());
  return decode_openai_messages(*messages, request);
}

Result<void> decode_completion(const Value& root, FieldReader& reader, chat::Request& request) {
  const auto fields = Fields<"prompt", "max_tokens", "logprobs", "echo", "suffix", "best_of">::read(root);
  if (!fields) return std::unexpected(fields.error());
  request.kind = chat::CallKind::complete;
  request.max_output_tokens = kCompletionTokensDefault;
  reader.integer(fields->get<"max_tokens">(), 0, kCountMax, request.max_output_tokens);
  reader.integer(fields->get<"logprobs">(), 0, kCompletionLogprobsMax, request.sampling.top_logprobs);
  request.sampling.logprobs = fields->get<"logprobs">().given();
  reader.boolean(fields->get<"echo">(), request.echo);
  if (fields->get<"suffix">().given()) note_need(request, chat::Feature::suffix, fields->get<"suffix">());
  std::uint32_t best_of = 1;
  reader.integer(fields->get<"best_of">(), 1, kBestOfMax, best_of);
  if (best_of > 1) note_need(request, chat::Feature::best_of, fields->get<"best_of">());
  if (reader.failed()) return std::unexpected(reader.error());
  const auto prompt = fields->require<"prompt">();
  if (!prompt) return std::unexpected(prompt.error());
  return decode_inputs(*prompt, true, request);
}

Result<void> decode_embedding(const Value& root, FieldReader& reader, chat::Request& request) {
  const auto fields = Fields<"input", "encoding_format", "dimensions", "user">::read(root);
  if (!fields) return std::unexpected(fields.error());
  request.kind = chat::CallKind::embed;
  reader.integer(fields->get<"dimensions">(), 1, kCountMax, request.embedding_dimensions);
  reader.text(fields->get<"user">(), request.end_user);
  if (const Value format = fields->get<"encoding_format">(); format.given()) {
    request.embedding_base64 = format.equals("base64");
    if (!request.embedding_base64 && !format.equals("float")) {
      return std::unexpected(format.error("must be one of float, base64."));
    }
  }
  if (reader.failed()) return std::unexpected(reader.error());
  const auto input = fields->require<"input">();
  if (!input) return std::unexpected(input.error());
  return decode_inputs(*input, false, request);
}

Result<void> decode_endpoint(Endpoint endpoint, const Value& root, FieldReader& reader, chat::Request& request) {
  if (endpoint == Endpoint::embeddings) return decode_embedding(root, reader, request);
  read_openai_sampling(root, reader, request);
  if (endpoint == Endpoint::completions) return decode_completion(root, reader, request);
  return decode_chat(root, reader, request);
}

}  // namespace

Result<chat::Request> decode_openai(Endpoint endpoint, const net::HttpRequest& http) {
  STINT_ASSERT(http.body != nullptr && (endpoint == Endpoint::chat_completions || endpoint == Endpoint::completions ||
                                        endpoint == Endpoint::embeddings));
  const auto document = json::Document::parse(*http.body);
  if (!document) return std::unexpected(document.error());
  const Value root = document->root();
  const auto fields = Fields<"model">::read(root);
  if (!fields) return std::unexpected(fields.error());

  chat::Request request;
  request.dialect = chat::DialectId::openai;
  request.body = http.body;
  FieldReader reader(request.arena);
  reader.model(root, fields->get<"model">(), request);
  read_own_fields(root, reader, request);
  if (const auto decoded = decode_endpoint(endpoint, root, reader, request); !decoded) {
    return std::unexpected(decoded.error());
  }
  // Headers last: they win over the body's fields of the same meaning.
  read_own_headers(http.headers, reader, request);
  if (reader.failed()) return std::unexpected(reader.error());
  return request;
}

}  // namespace stint::api
