// The head of an HTTP/1 message: text to values and back, RFC 9112 read strictly. Pure functions on bounded input (the
// codec limits the text to 64 KiB); time is linear.
//
// Stricter than the RFC demands, because two parsers that disagree about one request are how smuggling works: lines end
// in CR LF and nothing else; no folded lines; no blank before a colon; no control characters; `transfer-encoding` is
// `chunked` or refused; never with `content-length`; `content-length` is plain digits, repeated only identically;
// exactly one `host` in 1.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/net/http_message.h"

namespace stint::net {

enum class BodyKind : std::uint8_t { none, length, chunked, until_close };

struct Framing {
  BodyKind body = BodyKind::none;
  std::uint64_t content_length = 0;  // of BodyKind::length
  bool keep_alive = true;
};

// A message that cannot be accepted: the status a server answers, and why.
struct Http1Failure {
  int status = 400;  // 400, 431, 501 or 505
  Error error;
};

// `text` is the whole head, final empty line included. Nullopt on success. On failure `request` holds what could be
// read.
std::optional<Http1Failure> parse_request_head(std::string_view text, HttpRequest& request, Framing& framing);
// `head_request`: the response answers a HEAD request and has no body whatever its headers say.
std::optional<Http1Failure> parse_response_head(std::string_view text, bool head_request, HttpResponseHead& response,
                                                Framing& framing);
// One line "name: value" without its line end. False unless it keeps every rule above.
bool parse_field_line(std::string_view line, std::string_view& name, std::string_view& value);

// Append the start line and fields, final empty line included. Control characters in values become blanks, so that no
// value from outside can end a line. Requires: names are tokens, as ours and parsed ones are.
void append_request_head(std::string& out, std::string_view method, std::string_view target, const Headers& headers);
void append_response_head(std::string& out, int status, const Headers& headers);

}  // namespace stint::net
