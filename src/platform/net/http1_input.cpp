#include "platform/net/http1_input.h"

#include "platform/base/assert.h"

namespace stint::net {

Result<std::optional<std::size_t>> Http1Input::try_fill() {
  STINT_ASSERT(bytes_.empty());
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kReadSize);
  auto read = stream_.try_read(std::span(buffer_.get(), kReadSize));
  if (read && *read) {
    bytes_ = std::string_view(buffer_.get(), **read);
    ended_ = **read == 0;
  }
  return read;
}

Task<Result<bool>> Http1Input::wait_for_first_byte(base::Deadline deadline) {
  while (bytes_.empty() && !ended_) {
    const auto read = try_fill();
    if (!read) co_return std::unexpected(read.error());
    if (*read) continue;
    buffer_.reset();
    if (!co_await stream_.readable().wait(deadline)) {
      co_return std::unexpected(wait_error(co_await current_scope(), "waiting for a message"));
    }
  }
  co_return !ended_;
}

Task<Result<Http1Decoder::Event>> Http1Input::next_event(base::Deadline deadline) {
  for (;;) {
    const Http1Decoder::Event event = decoder_.next(bytes_);
    if (event != Http1Decoder::Event::need_input) co_return event;
    if (ended_) co_return decoder_.finish_input();
    const auto read = try_fill();
    if (!read) co_return std::unexpected(read.error());
    if (*read) continue;
    if (!co_await stream_.readable().wait(deadline)) {
      co_return std::unexpected(wait_error(co_await current_scope(), "reading a message"));
    }
  }
}

Task<void> Http1Input::discard(std::size_t size_max, base::Deadline deadline) {
  std::size_t discarded_size = bytes_.size();
  bytes_ = {};
  while (!ended_ && discarded_size < size_max) {
    const auto read = try_fill();
    if (!read) co_return;
    discarded_size += bytes_.size();
    bytes_ = {};
    if (!*read && !co_await stream_.readable().wait(deadline)) co_return;
  }
}

}  // namespace stint::net
