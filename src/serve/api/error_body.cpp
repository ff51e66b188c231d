#include "serve/api/error_body.h"

#include "platform/base/assert.h"
#include "platform/json/writer.h"

namespace stint::api {
namespace {

using base::ErrorKind;
using chat::DialectId;

struct Wire {
  std::uint16_t status;
  std::string_view anthropic_type;
  std::string_view openai_type;
  std::string_view openai_code;  // where the error brings none; empty = null
};

Wire wire(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_request:
      return {400, "invalid_request_error", "invalid_request_error", ""};
    case ErrorKind::unsupported:
      return {400, "invalid_request_error", "invalid_request_error", "unsupported_parameter"};
    case ErrorKind::authentication:
      return {401, "authentication_error", "invalid_request_error", "invalid_api_key"};
    case ErrorKind::permission:
      return {403, "permission_error", "permission_error", ""};
    case ErrorKind::not_found:
      return {404, "not_found_error", "invalid_request_error", ""};
    case ErrorKind::method_not_allowed:
      return {405, "invalid_request_error", "invalid_request_error", "method_not_supported"};
    case ErrorKind::timeout_request:
      return {408, "timeout_error", "timeout_error", "request_timeout"};
    case ErrorKind::conflict:
      return {409, "conflict_error", "conflict_error", ""};
    case ErrorKind::too_large:
      return {413, "request_too_large", "invalid_request_error", "request_too_large"};
    case ErrorKind::headers_too_large:
      return {431, "invalid_request_error", "invalid_request_error", "headers_too_large"};
    case ErrorKind::rate_limited:
      return {429, "rate_limit_error", "rate_limit_error", "rate_limit_exceeded"};
    case ErrorKind::cancelled:
      return {499, "api_error", "server_error", "cancelled"};
    case ErrorKind::internal:
      return {500, "api_error", "server_error", ""};
    case ErrorKind::unavailable:
      return {503, "api_error", "server_error", "unavailable"};
    case ErrorKind::overloaded:
      return {529, "overloaded_error", "server_error", "overloaded"};
    case ErrorKind::timeout:
      return {504, "timeout_error", "timeout_error", "timeout"};
    case ErrorKind::corrupt:
    case ErrorKind::io:
      return {500, "api_error", "server_error", ""};
  }
  STINT_ASSERT(false);
}

void write_text_or_null(json::Writer& writer, std::string_view text) {
  if (text.empty()) {
    writer.null();
  } else {
    writer.string(text);
  }
}

// With an empty `request_id`, as in a stream, the member is left out.
std::string anthropic_body(const base::Error& error, std::string_view request_id) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object().member("type", "error").key("error").begin_object();
  writer.member("type", wire(error.kind).anthropic_type).member("message", error.message);
  // SDKs branch on this code, e.g. to resend a refused thread as a whole history.
  if (!error.code.empty()) writer.key("details").begin_object().member("error_code", error.code).end_object();
  writer.end_object();
  if (!request_id.empty()) writer.member("request_id", request_id);
  writer.end_object();
  return body;
}

std::string openai_body(const base::Error& error, std::string_view type, std::string_view code) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object().key("error").begin_object().member("message", error.message).member("type", type);
  writer.key("param");
  write_text_or_null(writer, error.param);
  writer.key("code");
  write_text_or_null(writer, code);
  writer.end_object().end_object();
  return body;
}

bool asks_to_come_back(ErrorKind kind) {
  return kind == ErrorKind::rate_limited || kind == ErrorKind::overloaded || kind == ErrorKind::unavailable;
}

}  // namespace

std::uint16_t http_status(ErrorKind kind, DialectId dialect) {
  if (kind == ErrorKind::overloaded && dialect != DialectId::anthropic) return 503;
  return wire(kind).status;
}

ErrorReply encode_error(const base::Error& error, const ErrorContext& context) {
  ErrorReply reply{.status = http_status(error.kind, context.dialect), .headers = {}, .body = {}};
  reply.headers.emplace_back("content-type", "application/json");
  reply.headers.emplace_back("request-id", context.request_id);
  if (context.dialect == DialectId::openai) reply.headers.emplace_back("x-request-id", context.request_id);
  if (context.retry_after_s || asks_to_come_back(error.kind)) {
    reply.headers.emplace_back("retry-after", std::to_string(context.retry_after_s.value_or(1)));
  }
  if (context.should_retry) reply.headers.emplace_back("x-should-retry", *context.should_retry ? "true" : "false");
  if (error.kind == ErrorKind::method_not_allowed) reply.headers.emplace_back("allow", context.allow);
  if (context.dialect == DialectId::anthropic) {
    reply.body = anthropic_body(error, context.request_id);
  } else {
    const Wire form = wire(error.kind);
    reply.body = openai_body(error, form.openai_type, error.code.empty() ? form.openai_code : error.code);
  }
  return reply;
}

std::string stream_error_object(const base::Error& error, DialectId dialect) {
  if (dialect == DialectId::anthropic) return anthropic_body(error, {});
  // A peer that broke its format or its connection is told apart from a failure of ours.
  const bool is_peer = error.kind == ErrorKind::corrupt || error.kind == ErrorKind::io;
  return openai_body(error, is_peer ? "upstream_error" : wire(error.kind).openai_type,
                     error.code.empty() ? "stream_interrupted" : error.code);
}

}  // namespace stint::api
