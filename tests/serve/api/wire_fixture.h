// What tests of the wire dialects share: requests from a body in one line, and events in one line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/api/dialect.h"

namespace stint::api {

inline net::HttpRequest http_request(std::string_view body, net::Headers headers = {}) {
  net::HttpRequest http;
  http.method = "POST";
  http.headers = std::move(headers);
  http.body = std::make_shared<const std::string>(body);
  return http;
}

inline Result<chat::Request> decode_messages(std::string_view body) {
  return dialect(chat::DialectId::anthropic)
      .decode(Endpoint::messages, http_request(body, {{"Anthropic-Version", "2023-06-01"}}));
}

inline Result<chat::Request> decode_openai_body(Endpoint endpoint, std::string_view body) {
  return dialect(chat::DialectId::openai).decode(endpoint, http_request(body));
}

inline chat::Event start(chat::Usage usage = {.input_tokens = 25}) {
  return {.kind = chat::Event::Kind::start, .usage = usage};
}

inline chat::Event delta(std::string text, std::uint32_t index = 0) {
  return {.kind = chat::Event::Kind::text_delta, .text = std::move(text), .index = index, .token_count = 1};
}

inline chat::Event choice_finish(std::uint32_t index, chat::FinishReason reason) {
  return {.kind = chat::Event::Kind::choice_finish, .index = index, .finish_reason = reason};
}

inline chat::Event finish(chat::FinishReason reason = chat::FinishReason::stop, std::string stop_string = {}) {
  return {.kind = chat::Event::Kind::finish,
          .usage = {.input_tokens = 11, .cache_read_tokens = 4409, .cache_write_tokens = 2, .output_tokens = 40},
          .finish_reason = reason,
          .stop_string = std::move(stop_string)};
}

inline chat::Event failure(base::ErrorKind kind, std::string message) {
  return {.kind = chat::Event::Kind::error, .error = base::Error{kind, std::move(message), {}, {}}};
}

// All bytes that the events of one answer turn into.
inline std::string encode(const chat::Request& request, const std::vector<chat::Event>& events) {
  const auto encoder = dialect(request.dialect).make_encoder(request, {"id_1", 1'700'000'000});
  std::string out;
  for (const chat::Event& event : events) encoder->push(event, out);
  return out;
}

}  // namespace stint::api
