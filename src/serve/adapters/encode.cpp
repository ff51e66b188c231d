#include "serve/adapters/encode.h"

#include "platform/base/limits.h"
#include "serve/answer_head.h"

namespace stint::serve {

namespace {

bool is_last(const chat::Event& event) {
  return event.kind == chat::Event::Kind::finish || event.kind == chat::Event::Kind::error;
}

bool is_content(const chat::Event& event) {
  using enum chat::Event::Kind;
  return event.kind != start && event.kind != ping && event.kind != error;
}

// Cancels the exchange's stream as long as it lives when the client leaves.
class CancelWhenGone {
 public:
  explicit CancelWhenGone(Exchange& exchange) : gone_(exchange.connection.client_gone()) {
    backends::EventStream& stream = *exchange.stream;
    gone_.on_set([&stream] { stream.cancel(); });
  }
  CancelWhenGone(const CancelWhenGone&) = delete;
  CancelWhenGone& operator=(const CancelWhenGone&) = delete;
  ~CancelWhenGone() { gone_.on_set({}); }

 private:
  net::Latch& gone_;
};

}  // namespace

net::Task<Result<void>> Encode::run(Exchange& exchange) {
  if (!exchange.failure) {
    Result<void> written = co_await write_answer(exchange);
    if (!written) exchange.failure = std::move(written.error());
  }
  if (!exchange.failure) co_return Result<void>();
  const bool started = exchange.connection.status() != 0;
  const bool was_cut_off = started || exchange.failure->kind == ErrorKind::cancelled;
  // Who has only closed the sending side still hears why the request is refused.
  exchange.outcome.client_gone = was_cut_off && exchange.connection.client_gone().is_set();
  if (started || exchange.outcome.client_gone) co_return Result<void>();
  ErrorAnswer answer = error_answer(exchange, *exchange.failure);
  co_return co_await exchange.connection.respond(std::move(answer.head), answer.body);
}

net::Task<Result<void>> Encode::write_answer(Exchange& exchange) {
  if (exchange.token_count) {
    co_return co_await exchange.connection.respond(answer_head(exchange, "application/json"),
                                                   api::encode_token_count(*exchange.token_count));
  }
  const CancelWhenGone cancel_when_gone(exchange);
  const std::unique_ptr<api::Encoder> encoder =
      api::dialect(exchange.route.dialect)
          .make_encoder(exchange.request, {.id = exchange.answer_id, .created_unix_s = exchange.created_unix_s});
  if (exchange.request.stream) co_return co_await write_stream(exchange, *encoder);
  co_return co_await write_body(exchange, *encoder);
}

net::Task<Result<void>> Encode::write_body(Exchange& exchange, api::Encoder& encoder) {
  std::string body;
  std::size_t kept_size = 0;  // by the encoder, until the finish
  while (true) {
    const chat::Event event = co_await next_event(exchange, base::Deadline::never());
    if (event.kind == chat::Event::Kind::error) co_return std::unexpected(*event.error);
    kept_size += chat::content_size(event);
    encoder.push(event, body);
    if (std::max(body.size(), kept_size) > base::kAnswerSizeMax) {
      co_return fail(ErrorKind::too_large,
                     "the answer is larger than 8 MiB; ask for a shorter one or set stream: true");
    }
    if (is_last(event)) break;
  }
  co_return co_await exchange.connection.respond(answer_head(exchange, encoder.content_type()), body);
}

net::Task<Result<void>> Encode::write_stream(Exchange& exchange, api::Encoder& encoder) {
  std::string bytes;
  while (true) {
    const chat::Event event = co_await next_event(exchange, base::Deadline::after(clock_, base::kStreamKeepAlive));
    const bool is_committed = exchange.connection.status() != 0;
    if (event.kind == chat::Event::Kind::error) {
      if (!is_committed) co_return std::unexpected(*event.error);
      exchange.failure = event.error;
    }
    if (event.kind == chat::Event::Kind::ping) {
      encoder.keep_alive(bytes);
    } else {
      encoder.push(event, bytes);
      if (!is_committed && !is_content(event)) continue;
    }
    const Result<void> sent = co_await send(exchange, encoder, bytes);
    if (!sent) co_return sent;
    if (is_last(event)) break;
  }
  co_return co_await exchange.connection.finish();
}

net::Task<Result<void>> Encode::send(Exchange& exchange, api::Encoder& encoder, std::string& bytes) {
  if (exchange.connection.status() == 0) {
    Result<void> started = co_await exchange.connection.start(answer_head(exchange, encoder.content_type()));
    if (!started) co_return started;
  }
  // net's write stall timeout ends a connection whose reader is stuck.
  Result<void> written = co_await exchange.connection.write(bytes, base::Deadline::never());
  bytes.clear();
  co_return written;
}

net::Task<chat::Event> Encode::next_event(Exchange& exchange, base::Deadline deadline) {
  Result<chat::Event> event = co_await exchange.stream->next(deadline);
  if (event) {
    observe(exchange, *event);
    co_return std::move(*event);
  }
  if (event.error().kind == ErrorKind::timeout) co_return chat::Event{.kind = chat::Event::Kind::ping};
  co_return chat::Event{.kind = chat::Event::Kind::error, .error = std::move(event.error())};
}

void Encode::observe(Exchange& exchange, const chat::Event& event) {
  Outcome& outcome = exchange.outcome;
  if (is_content(event) && !outcome.time_to_first_token) {
    outcome.time_to_first_token = clock_.now() - exchange.received_at;
  }
  if (event.kind == chat::Event::Kind::finish) {
    outcome.usage = event.usage;
    outcome.finish_reason = event.finish_reason;
  }
  if (event.kind == chat::Event::Kind::text_delta) outcome.usage.output_tokens += event.token_count;
  if (event.kind == chat::Event::Kind::start) outcome.usage = event.usage;
}

}  // namespace stint::serve
