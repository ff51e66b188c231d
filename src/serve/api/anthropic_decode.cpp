#include "serve/api/anthropic_decode.h"

#include <algorithm>
#include <array>
#include <limits>

#include "platform/base/assert.h"
#include "platform/json/document.h"
#include "platform/json/fields.h"
#include "serve/api/anthropic_content.h"
#include "serve/api/field_reader.h"
#include "serve/api/needs.h"
#include "serve/api/own_fields.h"

namespace stint::api {
namespace {

using json::Fields;
using json::Value;

constexpr std::array<std::string_view, 2> kVersions{"2023-06-01", "2026-10-21"};
constexpr std::uint32_t kCountMax = std::numeric_limits<std::uint32_t>::max();

using BodyFields =
    Fields<"model", "max_tokens", "messages", "system", "stream", "stop_sequences", "temperature", "top_p", "top_k",
           "tools", "tool_choice", "thinking", "output_config", "output_format", "metadata", "thread">;

Result<void> check_version(const net::Headers& headers) {
  const auto version = headers.find("anthropic-version");
  if (!version) {
    return fail(ErrorKind::invalid_request,
                "anthropic-version: this header is required; send 2023-06-01 or 2026-10-21.", "anthropic-version");
  }
  if (std::ranges::count(kVersions, *version) == 0) {
    return fail(ErrorKind::invalid_request, "anthropic-version: must be 2023-06-01 or 2026-10-21.",
                "anthropic-version");
  }
  return {};
}

// The member `type` of an object like `thinking`; absent if there is no object.
Result<Value> type_of(const Value& value) {
  if (!value.given()) return Value();
  const auto fields = Fields<"type">::read(value);
  if (!fields) return std::unexpected(fields.error());
  return fields->get<"type">();
}

Result<Value> output_format(const BodyFields& fields) {
  const Value config = fields.get<"output_config">();
  if (!config.given()) return fields.get<"output_format">();
  const auto config_fields = Fields<"format">::read(config);
  if (!config_fields) return std::unexpected(config_fields.error());
  const Value format = config_fields->get<"format">();
  return format.given() ? format : fields.get<"output_format">();
}

// max_tokens 0 only fills the cache; what asks for output contradicts it.
Result<void> check_prewarm(const BodyFields& fields, const chat::Request& request) {
  if (request.max_output_tokens != 0U) return {};
  const Value max_tokens = fields.get<"max_tokens">();
  const auto refuse = [&](std::string_view what) { return std::unexpected(max_tokens.error(what)); };
  if (request.stream) return refuse("0 cannot be combined with stream; leave stream out.");
  const auto thinking = type_of(fields.get<"thinking">());
  if (!thinking) return std::unexpected(thinking.error());
  if (thinking->equals("enabled")) return refuse("0 cannot be combined with thinking; leave thinking out.");
  const auto choice = type_of(fields.get<"tool_choice">());
  if (!choice) return std::unexpected(choice.error());
  if (choice->equals("any") || choice->equals("tool")) {
    return refuse("0 cannot be combined with a tool_choice that forces a call; use auto or none.");
  }
  const auto format = output_format(fields);
  if (!format) return std::unexpected(format.error());
  if (format->given()) return refuse("0 cannot be combined with output_config.format; leave the format out.");
  return {};
}

Result<void> read_needs(const BodyFields& fields, chat::Request& request) {
  const auto format = output_format(fields);
  if (!format) return std::unexpected(format.error());
  if (format->given()) note_need(request, chat::Feature::json_schema, *format);
  if (fields.get<"thread">().given()) note_need(request, chat::Feature::thread, fields.get<"thread">());
  return {};
}

void read_options(const BodyFields& fields, FieldReader& reader, chat::Request& request) {
  reader.integer(fields.get<"max_tokens">(), 0, kCountMax, request.max_output_tokens);
  reader.boolean(fields.get<"stream">(), request.stream);
  reader.stop_strings(fields.get<"stop_sequences">(), false, request.stop_strings);
  reader.number(fields.get<"temperature">(), 0, 1, request.sampling.temperature);
  reader.number(fields.get<"top_p">(), 0, 1, request.sampling.top_p);
  reader.integer(fields.get<"top_k">(), 0, kCountMax, request.sampling.top_k);
  if (const Value tools = fields.get<"tools">(); tools.given()) {
    if (auto array = tools.array(); !array) return reader.fail(std::move(array.error()));
    request.tools_span = byte_span(tools.span());
  }
  if (const Value metadata = fields.get<"metadata">(); metadata.given()) {
    auto metadata_fields = Fields<"user_id">::read(metadata);
    if (!metadata_fields) return reader.fail(std::move(metadata_fields.error()));
    reader.text(metadata_fields->get<"user_id">(), request.end_user);
  }
}

}  // namespace

Result<chat::Request> decode_anthropic(Endpoint endpoint, const net::HttpRequest& http) {
  STINT_ASSERT(http.body != nullptr && (endpoint == Endpoint::messages || endpoint == Endpoint::count_tokens));
  if (const auto version = check_version(http.headers); !version) return std::unexpected(version.error());
  const auto document = json::Document::parse(*http.body);
  if (!document) return std::unexpected(document.error());
  const Value root = document->root();
  const auto fields = BodyFields::read(root);
  if (!fields) return std::unexpected(fields.error());

  chat::Request request;
  request.kind = endpoint == Endpoint::messages ? chat::CallKind::chat : chat::CallKind::count_tokens;
  request.dialect = chat::DialectId::anthropic;
  request.body = http.body;
  FieldReader reader(request.arena);
  reader.model(root, fields->get<"model">(), request);
  read_options(*fields, reader, request);
  read_own_fields(root, reader, request);
  read_own_headers(http.headers, reader, request);
  if (reader.failed()) return std::unexpected(reader.error());
  if (endpoint == Endpoint::messages && !request.max_output_tokens) {
    return std::unexpected(root.member_error("max_tokens", "this field is required."));
  }
  if (const auto prewarm = check_prewarm(*fields, request); !prewarm) return std::unexpected(prewarm.error());
  if (const auto needs = read_needs(*fields, request); !needs) return std::unexpected(needs.error());
  const auto messages = fields->require<"messages">();
  if (!messages) return std::unexpected(messages.error());
  if (const auto system = decode_anthropic_system(fields->get<"system">(), request); !system) {
    return std::unexpected(system.error());
  }
  if (const auto decoded = decode_anthropic_messages(*messages, request); !decoded) {
    return std::unexpected(decoded.error());
  }
  return request;
}

}  // namespace stint::api
