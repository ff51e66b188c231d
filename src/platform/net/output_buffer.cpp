#include "platform/net/output_buffer.h"

#include "platform/base/assert.h"

namespace stint::net {

Result<void> OutputBuffer::push(std::span<const std::string_view> pieces) {
  if (error_) return std::unexpected(*error_);
  std::size_t left_over = 0;  // bytes of the pieces that have left already
  if (unsent_.empty() && !unflushed_) {
    const auto taken = stream_.try_write(pieces);
    if (!taken) {
      fail_with(taken.error());
      return std::unexpected(*error_);
    }
    left_over = *taken;
  }
  for (const std::string_view piece : pieces) {
    const std::size_t gone = std::min(left_over, piece.size());
    left_over -= gone;
    unsent_.append(piece.substr(gone));
  }
  STINT_ASSERT(unsent_size() <= kSizeMax);
  unflushed_ = true;
  if (unsent_.empty()) {
    const auto flushed = stream_.try_flush();
    unflushed_ = !flushed || !*flushed;
  }
  if (unflushed_) work_.notify_all();
  return {};
}

Result<bool> OutputBuffer::send_unsent() {
  bool progress = false;
  if (!unsent_.empty()) {
    const std::string_view rest = std::string_view(unsent_).substr(sent_size_);
    const auto taken = stream_.try_write(std::span(&rest, 1));
    if (!taken) return std::unexpected(taken.error());
    progress = *taken > 0;
    sent_size_ += *taken;
    if (sent_size_ == unsent_.size()) {
      unsent_.clear();
      sent_size_ = 0;
    } else if (sent_size_ >= kSizeMax / 2) {
      unsent_.erase(0, sent_size_);
      sent_size_ = 0;
    }
  }
  if (!unsent_.empty()) return progress;
  const auto flushed = stream_.try_flush();
  if (!flushed) return std::unexpected(flushed.error());
  progress = progress || *flushed;
  unflushed_ = !*flushed;
  return progress;
}

Task<void> OutputBuffer::pump() {
  const base::Clock& clock = (co_await current_scope()).loop().clock();
  base::Deadline stalled_at = base::Deadline::never();
  while (!stopped_ && !error_) {
    if (!unflushed_) {
      stalled_at = base::Deadline::never();
      if (!co_await work_.wait(base::Deadline::never())) break;
      continue;
    }
    const auto progress = send_unsent();
    if (!progress) {
      fail_with(progress.error());
      break;
    }
    if (*progress) room_.notify_all();
    if (!unflushed_) continue;
    if (*progress || stalled_at.at == base::TimePoint::max()) stalled_at = base::Deadline::after(clock, stall_timeout_);
    if (!co_await stream_.writable().wait(stalled_at)) {
      fail_with(wait_error(co_await current_scope(), "sending to a client that takes nothing"));
    }
  }
}

void OutputBuffer::stop() {
  stopped_ = true;
  work_.notify_all();
}

void OutputBuffer::fail_with(Error error) {
  error_ = std::move(error);
  unsent_ = {};
  sent_size_ = 0;
  unflushed_ = false;
  stream_.close();
  room_.notify_all();
  work_.notify_all();
}

Task<Result<void>> OutputBuffer::wait_for_room(std::size_t size, base::Deadline deadline) {
  STINT_ASSERT(size <= kSizeMax);
  while (!error_ && room() < size) {
    if (!co_await room_.wait(deadline)) {
      co_return std::unexpected(wait_error(co_await current_scope(), "waiting for the client to take what was sent"));
    }
  }
  if (error_) co_return std::unexpected(*error_);
  co_return Result<void>();
}

Task<Result<void>> OutputBuffer::wait_until_sent() {
  while (!error_ && unflushed_) {
    if (!co_await room_.wait(base::Deadline::never())) {
      co_return std::unexpected(wait_error(co_await current_scope(), "sending"));
    }
  }
  if (error_) co_return std::unexpected(*error_);
  co_return Result<void>();
}

}  // namespace stint::net
