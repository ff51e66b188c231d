// Dialect: one wire protocol, both ways: HTTP body -> chat::Request, chat::Event -> bytes. Errors are encoded by
// error_body.h, model lists by models_list.h. Dialects are stateless constants, usable from any thread; an Encoder
// belongs to one answer and one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "chat/event.h"
#include "chat/request.h"
#include "platform/base/result.h"
#include "platform/net/http_message.h"
#include "serve/api/routes.h"

namespace stint::api {

// What makes an answer unique; given in, so that the same request gives the same bytes in a test.
struct AnswerStamp {
  std::string id;  // ids.h
  std::int64_t created_unix_s = 0;
};

// The answer to one request, event by event. Takes the stream of chat/event.h in its order.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // "text/event-stream" or "application/json".
  virtual std::string_view content_type() const = 0;
  // Appends the wire bytes that follow from `event`: its raw bytes when it has some in this dialect. A whole JSON body
  // appears at `finish`. An error event ends a stream in the dialect's way; without streaming it appends nothing,
  // because the status can still be sent: use encode_error. Requires: nothing after finish or error.
  virtual void push(const chat::Event& event, std::string& out) = 0;
  // Bytes that keep proxies and clients waiting, legal at any time in a stream; nothing without streaming.
  virtual void keep_alive(std::string& out) = 0;
};

class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual chat::DialectId id() const = 0;
  // The request shares the body of `http`. Errors: invalid_request naming the field by its dotted path; too_large above
  // the named limits. Requires: an endpoint of this dialect that takes a body, and that body.
  virtual Result<chat::Request> decode(Endpoint endpoint, const net::HttpRequest& http) const = 0;
  // Requires: a request decoded by the same dialect whose kind is chat, complete or embed. Copies what it needs of it.
  virtual std::unique_ptr<Encoder> make_encoder(const chat::Request& request, AnswerStamp stamp) const = 0;
};

// Requires: not DialectId::none.
const Dialect& dialect(chat::DialectId id);

// The body of an answer to /v1/messages/count_tokens.
std::string encode_token_count(std::uint64_t input_token_count);

}  // namespace stint::api
