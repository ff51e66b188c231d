#include "platform/net/stream.h"

namespace stint::net {

Error wait_error(const CancelScope& scope, std::string_view what) {
  if (scope.cancelled()) return Error{ErrorKind::cancelled, fmt::format("Cancelled while {}.", what), {}, {}};
  return Error{ErrorKind::timeout, fmt::format("The time for {} ran out.", what), {}, {}};
}

Task<Result<std::size_t>> read_some(Stream& stream, std::span<char> buffer, base::Deadline deadline) {
  for (;;) {
    const auto read = stream.try_read(buffer);
    if (!read) co_return std::unexpected(read.error());
    if (*read) co_return **read;
    if (!co_await stream.readable().wait(deadline)) {
      co_return std::unexpected(wait_error(co_await current_scope(), "reading"));
    }
  }
}

Task<Result<void>> write_all(Stream& stream, std::string_view bytes, base::Deadline deadline) {
  for (;;) {
    if (!bytes.empty()) {
      const auto written = stream.try_write(std::span(&bytes, 1));
      if (!written) co_return std::unexpected(written.error());
      bytes.remove_prefix(*written);
    }
    if (bytes.empty()) {
      const auto flushed = stream.try_flush();
      if (!flushed) co_return std::unexpected(flushed.error());
      if (*flushed) co_return Result<void>();
    }
    if (!co_await stream.writable().wait(deadline)) {
      co_return std::unexpected(wait_error(co_await current_scope(), "writing"));
    }
  }
}

}  // namespace stint::net
