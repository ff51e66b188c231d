#include "serve/answer_head.h"

#include "serve/api/error_body.h"

namespace stint::serve {

namespace {

void add_common_headers(const Exchange& exchange, net::Headers& headers) {
  if (!exchange.outcome.served_by.empty()) headers.add("x-stint-served-by", exchange.outcome.served_by);
  if (const std::string timing = server_timing(exchange); !timing.empty()) headers.add("server-timing", timing);
  exchange.generation->browser_guard.add_cors_headers(exchange.connection.request().headers, headers);
}

}  // namespace

net::HttpResponseHead answer_head(const Exchange& exchange, std::string_view content_type) {
  net::HttpResponseHead head{.status = 200, .headers = {}, .reason = {}};
  head.headers.add("content-type", content_type);
  if (content_type.starts_with("text/event-stream")) {
    head.headers.add("cache-control", "no-cache");
    head.headers.add("x-accel-buffering", "no");
  }
  head.headers.add("request-id", exchange.request_id);
  if (exchange.route.dialect == chat::DialectId::openai) head.headers.add("x-request-id", exchange.request_id);
  add_common_headers(exchange, head.headers);
  return head;
}

ErrorAnswer error_answer(const Exchange& exchange, const base::Error& error) {
  api::ErrorReply reply =
      api::encode_error(error, {.dialect = exchange.route.dialect, .request_id = exchange.request_id});
  ErrorAnswer answer{.head = {.status = reply.status, .headers = {}, .reason = {}}, .body = std::move(reply.body)};
  for (const auto& [name, value] : reply.headers) answer.head.headers.add(name, value);
  add_common_headers(exchange, answer.head.headers);
  return answer;
}

std::string server_timing(const Exchange& exchange) {
  std::string text;
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const base::Duration span = exchange.stage_times.at(i);
    if (span == base::Duration::zero()) continue;
    const double milliseconds = std::chrono::duration<double, std::milli>(span).count();
    fmt::format_to(std::back_inserter(text), "{}{};dur={:.3f}", text.empty() ? "" : ", ",
                   to_string(static_cast<StageId>(i)), milliseconds);
  }
  return text;
}

}  // namespace stint::serve
