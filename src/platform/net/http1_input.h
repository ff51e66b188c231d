// Http1Input: the reading side of an HTTP/1 connection: pulls bytes from the stream through the decoder. Holds one read
// buffer, and none while it waits for the first byte of a message, so that idle connections cost next to nothing.
// Single-threaded.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "platform/net/http1_codec.h"
#include "platform/net/stream.h"

namespace stint::net {

class Http1Input {
 public:
  static constexpr std::size_t kReadSize = 16 * base::kKiB;

  Http1Input(Stream& stream, Http1Decoder::Role role) : stream_(stream), decoder_(role) {}

  // True once a byte of the next message is there, false at the peer's end of stream.
  Task<Result<bool>> wait_for_first_byte(base::Deadline deadline);
  // The next event that is not need_input; need_input stands for a clean end of stream between messages.
  Task<Result<Http1Decoder::Event>> next_event(base::Deadline deadline);
  // Reads and drops whatever comes, until the end of the stream, an error, the deadline or `size_max` bytes.
  Task<void> discard(std::size_t size_max, base::Deadline deadline);

  Http1Decoder& decoder() { return decoder_; }
  // Bytes read and not yet decoded.
  bool has_bytes() const { return !bytes_.empty(); }

 private:
  // Nullopt: would have to wait.
  Result<std::optional<std::size_t>> try_fill();

  Stream& stream_;
  Http1Decoder decoder_;
  std::unique_ptr<char[]> buffer_;
  std::string_view bytes_;
  bool ended_ = false;
};

}  // namespace stint::net
