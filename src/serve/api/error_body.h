// error_body: the one place where an error kind becomes a status, headers and a body, in both dialects.
// Pure functions; thread-safe; results are owned by the caller. Sizes follow the error's message, which its maker
// bounds. Shapes: Anthropic's and OpenAI's public API references.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/event.h"
#include "platform/base/error.h"

namespace stint::api {

struct ErrorContext {
  chat::DialectId dialect = chat::DialectId::openai;
  std::string_view request_id;
  std::optional<std::uint32_t> retry_after_s;  // default: 1 s where the client is asked to come back
  // Overrides what SDKs would do by the status: false after a spend limit or once our own retries are used up.
  std::optional<bool> should_retry;
  std::string_view allow;  // method_not_allowed: the methods that would do
};

struct ErrorReply {
  std::uint16_t status = 500;
  std::vector<std::pair<std::string, std::string>> headers;  // content-type and request-id included
  std::string body;
};

std::uint16_t http_status(base::ErrorKind kind, chat::DialectId dialect);

ErrorReply encode_error(const base::Error& error, const ErrorContext& context);

// The object that tells of a failure in a stream after its 200: {"type":"error","error":{...}} or {"error":{...}}.
std::string stream_error_object(const base::Error& error, chat::DialectId dialect);

}  // namespace stint::api
