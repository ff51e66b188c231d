#include "platform/net/http1_exchange.h"

#include "platform/base/assert.h"

namespace stint::net {

namespace {

using Event = Http1Decoder::Event;

constexpr std::size_t kSliceSize = 64 * base::kKiB;
constexpr std::size_t kChunkOverhead = 32;  // size line and line ends
// A rest of a body that the handler did not want is read and dropped up to here; beyond, the connection is closed
// instead.
constexpr std::size_t kDiscardSizeMax = 64 * base::kKiB;

}  // namespace

Http1Exchange::Http1Exchange(const Parts& parts) : parts_(parts) {
  const Framing& framing = parts_.input.decoder().framing();
  const bool has_body = framing.body == BodyKind::chunked || framing.content_length > 0;
  body_read_ = !has_body;
  expects_continue_ = has_body && request().version_minor == 1 && request().headers.has_token("expect", "100-continue");
  keep_alive_ = framing.keep_alive;
}

Task<Result<std::shared_ptr<const std::string>>> Http1Exchange::read_body(std::size_t size_max) {
  if (body_error_) co_return std::unexpected(*body_error_);
  HttpRequest& request = parts_.input.decoder().request();
  if (!request.body) {
    auto body = co_await receive_body(size_max);
    if (!body) {
      body_error_ = body.error();
      co_return std::unexpected(*body_error_);
    }
    request.body = std::move(*body);
  }
  co_return request.body;
}

Result<void> Http1Exchange::invite_body() {
  if (!std::exchange(expects_continue_, false) || parts_.input.has_bytes() || status_ != 0) return {};
  const std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
  return parts_.output.push(std::span(&line, 1));
}

Task<Result<std::shared_ptr<const std::string>>> Http1Exchange::receive_body(std::size_t size_max) {
  Http1Decoder& decoder = parts_.input.decoder();
  const std::uint64_t announced_size = decoder.framing().content_length;
  const auto too_large = [size_max] {
    return fail(ErrorKind::too_large, fmt::format("The request body is larger than {} bytes.", size_max));
  };
  if (announced_size > size_max) co_return too_large();
  auto body = std::make_shared<BudgetedBody>(parts_.budget, announced_size);
  if (!body_read_) {
    if (const auto invited = invite_body(); !invited) co_return std::unexpected(invited.error());
  }
  while (!body_read_) {
    auto event = co_await parts_.input.next_event(base::Deadline::after(parts_.clock, parts_.body_stall_timeout));
    if (!event && event.error().kind == ErrorKind::timeout) {
      co_return fail(ErrorKind::timeout_request, "The request body stopped coming in.");
    }
    if (!event) co_return fail(ErrorKind::cancelled, "The client left while sending the request body.");
    if (*event == Event::failed) co_return std::unexpected(decoder.failure().error);
    if (*event == Event::data) {
      if (decoder.data().size() > size_max - body->text().size()) co_return too_large();
      if (!body->append(decoder.data())) {
        co_return fail(ErrorKind::overloaded, "Too many request bodies are under way; try again shortly.");
      }
    }
    body_read_ = *event == Event::end;
  }
  co_return std::shared_ptr<const std::string>(body, &body->text());
}

bool Http1Exchange::body_is_small() const {
  const Framing& framing = parts_.input.decoder().framing();
  return framing.body == BodyKind::length && framing.content_length <= kDiscardSizeMax && !expects_continue_ &&
         !body_error_;
}

void Http1Exchange::compose_head(HttpResponseHead& head, std::optional<std::size_t> body_size) {
  STINT_ASSERT(status_ == 0 && head.status >= 200);
  status_ = head.status;
  const bool modern = request().version_minor == 1;
  const bool never_has_body = status_ == 204 || status_ == 304;
  without_body_ = never_has_body || request().method == "HEAD";
  chunked_ = !body_size && modern && !without_body_;
  if (!body_size && !modern) keep_alive_ = false;
  if (parts_.draining || !(body_read_ || body_is_small())) keep_alive_ = false;
  Headers& headers = head.headers;
  headers.remove("content-length");
  headers.remove("transfer-encoding");
  headers.remove("connection");
  if (body_size && !never_has_body) headers.add("content-length", fmt::format_int(*body_size).c_str());
  if (!body_size && modern && !never_has_body) headers.add("transfer-encoding", "chunked");
  if (!headers.contains("date")) headers.add("date", parts_.date.at(parts_.clock.unix_seconds()));
  if (!keep_alive_) headers.add("connection", "close");
  if (keep_alive_ && !modern) headers.add("connection", "keep-alive");
  append_response_head(head_, status_, headers);
  STINT_ASSERT(head_.size() + kSliceSize < OutputBuffer::kSizeMax);
}

Task<Result<void>> Http1Exchange::respond(HttpResponseHead head, std::string_view body) {
  compose_head(head, body.size());
  // The stall timeout of the output buffer limits the wait for room.
  auto sent = co_await send(without_body_ ? std::string_view() : body, base::Deadline::never());
  complete_ = sent.has_value();
  co_return sent;
}

Task<Result<void>> Http1Exchange::start(HttpResponseHead head) {
  compose_head(head, std::nullopt);
  co_return Result<void>();
}

Task<Result<void>> Http1Exchange::write(std::string_view bytes, base::Deadline deadline) {
  STINT_ASSERT(status_ != 0 && !complete_);
  if (client_gone().is_set()) co_return fail(ErrorKind::cancelled, "The client left.");
  if (without_body_) bytes = {};
  co_return co_await send(bytes, deadline);
}

Task<Result<void>> Http1Exchange::finish() {
  STINT_ASSERT(status_ != 0 && !complete_);
  const std::array<std::string_view, 2> pieces{head_, chunked_ ? kLastChunk : std::string_view()};
  auto sent = co_await send_pieces(pieces, base::Deadline::never());
  complete_ = sent.has_value();
  co_return sent;
}

Task<Result<void>> Http1Exchange::send(std::string_view bytes, base::Deadline deadline) {
  while (!bytes.empty() || !head_.empty()) {
    const std::string_view slice = bytes.substr(0, kSliceSize);
    chunk_line_.clear();
    const bool as_chunk = chunked_ && !slice.empty();
    if (as_chunk) append_chunk_size(chunk_line_, slice.size());
    const std::array<std::string_view, 4> pieces{head_, chunk_line_, slice, as_chunk ? kChunkEnd : std::string_view()};
    auto sent = co_await send_pieces(pieces, deadline);
    if (!sent) co_return sent;
    bytes.remove_prefix(slice.size());
  }
  co_return Result<void>();
}

Task<Result<void>> Http1Exchange::send_pieces(std::span<const std::string_view> pieces, base::Deadline deadline) {
  std::size_t size = kChunkOverhead;
  for (const std::string_view piece : pieces) size += piece.size();
  if (parts_.output.room() < size) {
    auto room = co_await parts_.output.wait_for_room(size, deadline);
    if (!room) co_return room;
  }
  auto pushed = parts_.output.push(pieces);
  head_.clear();
  co_return pushed;
}

Task<bool> Http1Exchange::finish_for_next() {
  if (!complete_ || !keep_alive_ || parts_.draining) co_return false;
  const base::Deadline deadline = base::Deadline::after(parts_.clock, parts_.body_stall_timeout);
  while (!body_read_) {
    const auto event = co_await parts_.input.next_event(deadline);
    if (!event || *event == Event::failed) co_return false;
    body_read_ = *event == Event::end;
  }
  co_return true;
}

}  // namespace stint::net
