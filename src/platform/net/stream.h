// Stream: a byte connection, seen as readiness. try_* never block and never keep a reference to the caller's bytes, so
// an await can be cancelled at any moment without a buffer in flight. Implementations: tcp, tls, memory.
// Single-threaded; at most one reader and one writer at a time. Owned by the connection that uses it, which waits for
// its own tasks before it dies.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/net/task.h"

namespace stint::net {

class Stream {
 public:
  virtual ~Stream() = default;

  // Bytes read (0 = the peer's end of stream), or nullopt: nothing there yet, wait for readable(). Requires a non-empty
  // buffer.
  virtual Result<std::optional<std::size_t>> try_read(std::span<char> buffer) = 0;
  // Bytes taken, possibly fewer than offered or 0: wait for writable(). Taken bytes go out by themselves, except those
  // that try_flush() still has to push.
  virtual Result<std::size_t> try_write(std::span<const std::string_view> pieces) = 0;
  // True once everything taken has been handed to the transport (a TLS record may be left half sent).
  virtual Result<bool> try_flush() { return true; }

  virtual Notify& readable() = 0;
  virtual Notify& writable() = 0;
  // Set as soon as the peer has closed its sending side or reset the connection, even while unread bytes are queued.
  virtual Latch& peer_closed() = 0;

  // Sends end of stream; reading goes on.
  virtual void shutdown_write() = 0;
  // Closes both directions and wakes every waiter; later calls fail with ErrorKind::cancelled.
  virtual void close() = 0;

  // "203.0.113.7:4711"; for logs. "memory" for the memory stream.
  virtual std::string peer_name() const = 0;
};

// Reads what is there, at least one byte; 0 at end of stream. ErrorKind::timeout, cancelled or io.
Task<Result<std::size_t>> read_some(Stream& stream, std::span<char> buffer, base::Deadline deadline);
// Writes and flushes everything. The bytes must stay valid until the task ends.
Task<Result<void>> write_all(Stream& stream, std::string_view bytes, base::Deadline deadline);

// What a failed wait means: the scope was cancelled, or the deadline passed while doing `what` ("reading", "writing",
// ...).
Error wait_error(const CancelScope& scope, std::string_view what);

}  // namespace stint::net
