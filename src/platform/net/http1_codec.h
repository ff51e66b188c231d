// Http1Decoder: bytes in, events out, without sockets; requests on the server's side, responses on the client's. One
// decoder serves one connection, message after message. It keeps at most one incomplete head (64 KiB); body bytes pass
// through as views into the input. Single-threaded; time is linear in the input, however it is cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/limits.h"
#include "platform/net/chunk_decoder.h"
#include "platform/net/http1_head.h"
#include "platform/net/http_message.h"

namespace stint::net {

class Http1Decoder {
 public:
  enum class Role : std::uint8_t { request, response };
  enum class Event : std::uint8_t {
    need_input,  // all input is consumed; feed more, or call finish_input at its end
    head,        // request() or response() and framing() are complete
    data,        // data() views a part of the body inside the input
    end,         // the message is complete; start_next() before going on
    failed,      // failure() says why; nothing more can be read from this connection
  };

  explicit Http1Decoder(Role role) : role_(role) {}

  // Consumes from the front of `input` up to the next event.
  Event next(std::string_view& input);
  // The peer's end of stream: `end` if it completes a body that lasts until close, `need_input` between two messages,
  // else `failed`.
  Event finish_input();
  // After `end`: makes ready for the next message. `head_request`: the next response answers a HEAD request.
  void start_next(bool head_request = false);

  const HttpRequest& request() const { return request_; }
  HttpRequest& request() { return request_; }
  HttpResponseHead& response() { return response_; }
  const Framing& framing() const { return framing_; }
  std::string_view data() const { return data_; }
  const Http1Failure& failure() const { return *failure_; }
  // True from the first byte of a head to its last.
  bool inside_head() const { return state_ == State::head && head_size_ > 0; }

 private:
  enum class State : std::uint8_t { head, body, end, failed };

  Event take_head(std::string_view& input);
  Event take_body(std::string_view& input);
  Event parse_head(std::string_view text);
  Event fail_with(int status, ErrorKind kind, std::string message);

  const Role role_;
  State state_ = State::head;
  bool head_request_ = false;
  bool blank_line_skipped_ = false;

  std::string head_;           // the part of a head that came in earlier inputs
  std::size_t head_size_ = 0;  // bytes of the head seen
  std::size_t line_size_ = 0;  // bytes of its current line seen
  bool after_cr_ = false;

  HttpRequest request_;
  HttpResponseHead response_;
  Framing framing_;
  std::uint64_t remaining_size_ = 0;  // of a body of known length
  ChunkDecoder chunks_;
  std::string_view data_;
  std::optional<Http1Failure> failure_;
};

// The size line of a chunk of `size` > 0 bytes; the chunk's bytes and kChunkEnd follow.
void append_chunk_size(std::string& out, std::size_t size);
inline constexpr std::string_view kChunkEnd = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace stint::net
