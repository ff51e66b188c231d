// The head of an answer: what every answer of a request carries beside its body. Pure.
#pragma once

#include <string_view>

#include "platform/net/http_message.h"
#include "serve/exchange.h"

namespace stint::serve {

// Status 200 with content-type, request ids, x-stint-served-by, server-timing and, for an allowed page, CORS headers.
net::HttpResponseHead answer_head(const Exchange& exchange, std::string_view content_type);

// The head and body that tell `error` in the exchange's dialect.
struct ErrorAnswer {
  net::HttpResponseHead head;
  std::string body;
};
ErrorAnswer error_answer(const Exchange& exchange, const base::Error& error);

// "decode;dur=0.02, plan;dur=0.001": the stages run so far, in milliseconds.
std::string server_timing(const Exchange& exchange);

}  // namespace stint::serve
